/** Corrections of Scalar's markup for screen readers. A test runs axe on the page, its search and its requests. */

const attribute = (name, value) => (element) => element.setAttribute(name, value);

/** By selector: a change that makes each element valid, so that the selector no longer matches it. */
const repairs = [
  // WCAG 4.1.2: a button that shows only an icon needs a name.
  ['.group\\/copy-button:not([aria-label])', attribute('aria-label', 'Copy')],
  ['.cm-content:not([aria-label])', attribute('aria-label', 'JSON')],
  ['button[role="none"]', (button) => button.removeAttribute('role')],
  // ARIA: a combobox says whether its list is open. These either have no list, or always show it.
  ['.code-input-lite__editor[role="combobox"]', attribute('role', 'textbox')],
  ['input[role="combobox"]:not([aria-expanded])', attribute('aria-expanded', 'true')],
  // The regions of a page have different names.
  ['.scalar-card[role="region"]', attribute('role', 'group')],
  // These name a tooltip that exists only while it is shown, and sections of which there are two.
  ['.group\\/copy-button[aria-controls]', (button) => button.removeAttribute('aria-controls')],
  ['section[aria-live][aria-label]', (section) => section.removeAttribute('aria-label')],
];

/** WCAG 2.1.1: without a mouse, code that is wider than its block scrolls only while it has the focus. */
function focusScrollingCode() {
  for (const code of document.querySelectorAll('code.custom-scroll'))
    if (code.scrollWidth > code.clientWidth) code.setAttribute('tabindex', '0');
    else code.removeAttribute('tabindex');
}

export function repairAccessibility() {
  let isPlanned = false;
  const repair = () => {
    isPlanned = false;
    for (const [selector, mend] of repairs) document.querySelectorAll(selector).forEach(mend);
    focusScrollingCode();
    // A page has one main part: behind the dialog, it is out of reach.
    const isBehind = document.querySelector('.scalar-client--open') !== null;
    document.querySelector('main.references-rendered')?.toggleAttribute('inert', isBehind);
  };
  const plan = () => {
    if (!isPlanned) requestAnimationFrame(repair);
    isPlanned = true;
  };
  new MutationObserver(plan).observe(document.body, {
    childList: true,
    subtree: true,
    attributeFilter: ['class'],
  });
  addEventListener('resize', plan);
}
