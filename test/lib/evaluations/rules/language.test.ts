import detector from 'eld/small';
import { expect, test } from 'vitest';
import { languageOf } from '../../../../lib/evaluations/rules/language.ts';
import { languages } from '../../../../lib/evaluations/rules/texts.ts';

test('the list has the languages of the detector', () => {
  expect(languages).toEqual(Object.values(detector.info().Languages).sort());
});

test.each([
  ['de', 'Wo ist meine Bestellung?'],
  ['de', 'Hallo, ich möchte mein Paket zurückschicken. Können Sie mir helfen?'],
  ['de', 'Das ist falsch, ich habe nur einmal bezahlt. Siehe https://example.com/where/is/my/order'],
  ['en', 'Where is my order?'],
  ['en', 'I want to return my parcel.\nCan you help me?\nOrder 4711-A'],
  ['fr', 'Où est ma commande ?'],
  ['fr', 'Bonjour, je voudrais renvoyer mon colis.'],
  ['es', '¿Dónde está mi pedido?'],
  ['es', 'Hola, quiero devolver mi paquete.'],
  ['ja', '注文はどこですか？'],
  ['ja', 'こんにちは、荷物を返品したいです。'],
  ['it', 'Dove si trova il mio ordine?'],
  ['nl', 'Ik wil mijn pakket terugsturen'],
  ['zh', '我的订单在哪里？'],
  ['ru', 'Где мой заказ?'],
  // Most of the text decides.
  ['de', `${'Wo ist meine Bestellung? Ich warte schon zwei Wochen. '.repeat(20)} Where is my order?`],
  [undefined, ''],
  [undefined, 'OK'],
  [undefined, 'Max'],
  [undefined, '谢谢'],
  [undefined, 'Merci'],
  [undefined, '4711 4711 4711'],
  [undefined, '👍👍👍'],
  [undefined, 'https://example.com/wo/ist/meine/bestellung'],
  [undefined, 'asdfgh qwertz yxcvbn'],
  [undefined, '@'.repeat(4096)],
])('%s: %s', (language, text) => {
  expect(languageOf(text)).toBe(language);
});
