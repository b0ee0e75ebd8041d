/**
 * Words that say little about what a question is about: articles, pronouns, prepositions, auxiliary verbs. They count less,
 * and a piece that has only such words of a question is no match. A word that means something in another of these languages
 * ("die" and "war" are English nouns, too) does little harm, because it still counts.
 */
const stopWordLists = {
  english: `a about after again all also am an and any are as at be because been before being between both but by can
    could did do does doing done for from get gets getting had has have having he her here hers him his how i if in into
    is it its just like may me might more most my myself no nor of off on once one only or other our out over own same
    shall she should so some such than that the their them then there these they this those to too under until up us use
    used using very was we were what when where which while who whom whose why will with without would you your`,
  german: `aber als am auch auf aus bei dass das dem den der des die durch du ein eine einem einen einer eines er es fur
    ich ihr im ist kann kein keine konnen mein meine meinen meiner mit nach nicht noch nur oder ohne sie sind uber um und
    unter vom von wann warum was welche welcher welches wem wen wenn wer werden wie wir wird wo wurde zu zum zur`,
  french: `au aux avec c ce ces cet cette comment d dans de des du elle en est et il ils je l la le les leur ma mes mon
    ne nous ou par pas plus pour qu que quel quelle qui quoi sa sans se ses son sont sur t ton un une vous y`,
  spanish: `al como con del el en es las lo los mi mis no o para por que se sin son su sus un una unas unos y`,
};

const stopWords = new Set(Object.values(stopWordLists).flatMap((list) => list.split(/\s+/)));

export const isStopWord = (term: string): boolean => stopWords.has(term);
