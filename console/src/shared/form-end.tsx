/** The end of a form: a button that leaves the form, and a button that sends it. */

type Props = {
  action: string;
  isPending: boolean;
  /** Whether the form can be sent. */
  isComplete?: boolean;
  onClose: () => void;
};

export const FormEnd = ({ action, isPending, isComplete = true, onClose }: Props) => (
  <p class="row end">
    <button type="button" onClick={onClose}>
      Cancel
    </button>
    <button type="submit" class="primary" disabled={isPending || !isComplete}>
      {isPending ? 'Working …' : action}
    </button>
  </p>
);
