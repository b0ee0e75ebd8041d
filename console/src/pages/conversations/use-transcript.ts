/**
 * A window into the messages of a conversation: it grows at both ends, follows the conversation while it is active, and keeps the
 * scroll position.
 */

import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Message } from '../../../../clients/typescript/src/index.ts';
import { platform } from '../../session/session.ts';

const pageSize = 100;
/** So many messages stand above the message that a link leads to. */
const contextSize = 20;

export type TranscriptWindow = {
  messages: readonly Message[];
  /** Whether the last stored message is in the window. */
  isAtEnd: boolean;
  isLoading: boolean;
  error: unknown;
  loadEarlier: () => void;
  loadMore: () => void;
  /** Repeats the request that failed. */
  repeat: () => void;
  /** Whether new messages are added as they are stored. */
  isFollowing: boolean;
};

type State = { messages: readonly Message[]; isAtEnd: boolean; isLoading: boolean; error?: unknown };

type Settings = {
  project: string;
  conversation: string;
  /** The message at which the window begins. A message outside the window moves it. */
  seq: number | undefined;
  /** Without `seq`, the window begins after this message. */
  afterSeq: number;
  wantsFollow: boolean;
  /** It is called when a followed conversation has ended. */
  onEnd: () => void;
};

export function useTranscript(settings: Settings): TranscriptWindow {
  const { project, conversation, seq, afterSeq, wantsFollow, onEnd } = settings;
  const [state, setState] = useState<State>({ messages: [], isAtEnd: false, isLoading: true });
  const [round, setRound] = useState(0);
  const lastRequest = useRef<() => void>(() => {});
  const controllerRef = useRef(new AbortController());
  const api = () => platform().projects(project).conversations;
  useEffect(() => () => controllerRef.current.abort(), []);

  /** Sends a request. If it fails, the messages stay on the page. */
  const load = (request: (signal: AbortSignal) => Promise<Partial<State>>) => {
    const attempt = async () => {
      const { signal } = controllerRef.current;
      setState(({ error: _, ...before }) => ({ ...before, isLoading: true }));
      try {
        const changes = await request(signal);
        if (!signal.aborted)
          setState(({ error: _, ...before }) => ({ ...before, ...changes, isLoading: false }));
      } catch (error) {
        if (!signal.aborted) setState((before) => ({ ...before, isLoading: false, error }));
      }
    };
    lastRequest.current = () => void attempt();
    void attempt();
  };

  const isShown = seq === undefined || state.messages.some((message) => message.seq === seq);
  useEffect(() => {
    if (state.messages.length > 0 && isShown) return;
    controllerRef.current.abort();
    controllerRef.current = new AbortController();
    const from = seq === undefined ? afterSeq : Math.max(0, seq - contextSize - 1);
    load(async (signal) => {
      const page = await api().transcript(conversation, { afterSeq: from, limit: pageSize }, { signal });
      return { messages: page.messages, isAtEnd: page.final || page.messages.length < pageSize };
    });
  }, [seq]);

  const lastSeq = state.messages.at(-1)?.seq ?? afterSeq;
  const isFollowing = wantsFollow && state.isAtEnd && !state.isLoading && state.error === undefined;
  useEffect(() => {
    if (!isFollowing) return;
    const controller = new AbortController();
    const { signal } = controller;
    const follow = async () => {
      try {
        for await (const message of api().follow(conversation, { afterSeq: lastSeq, signal }))
          if (!signal.aborted) setState((before) => ({ ...before, messages: [...before.messages, message] }));
        if (!signal.aborted) onEnd();
      } catch (error) {
        lastRequest.current = () => {
          setState(({ error: _, ...before }) => before);
          setRound((number) => number + 1);
        };
        if (!signal.aborted) setState((before) => ({ ...before, error }));
      }
    };
    void follow();
    return () => controller.abort();
  }, [isFollowing, round]);

  return {
    messages: state.messages,
    isAtEnd: state.isAtEnd,
    isLoading: state.isLoading,
    error: state.error,
    isFollowing,
    repeat: () => lastRequest.current(),
    loadEarlier: () => {
      const first = state.messages[0]?.seq ?? 1;
      const from = Math.max(0, first - 1 - pageSize);
      load(async (signal) => {
        const earlierMessages: Message[] = [];
        // A page of large messages is short.
        while ((earlierMessages.at(-1)?.seq ?? from) < first - 1) {
          const at = earlierMessages.at(-1)?.seq ?? from;
          const page = await api().transcript(
            conversation,
            { afterSeq: at, limit: first - 1 - at },
            { signal },
          );
          if (page.messages.length === 0) break;
          earlierMessages.push(...page.messages);
        }
        return { messages: [...earlierMessages, ...state.messages] };
      });
    },
    loadMore: () =>
      load(async (signal) => {
        const page = await api().transcript(conversation, { afterSeq: lastSeq, limit: pageSize }, { signal });
        const isAtEnd = page.final || page.messages.length === 0;
        return { messages: [...state.messages, ...page.messages], isAtEnd };
      }),
  };
}

/** A page that is closer to its end counts as at its end. */
const nearPixels = 240;

/** The id of the element behind the last message. The page may go on below this element, with the scores. */
export const endId = 'transcript-end';

function isNearEnd(): boolean {
  const end = document.getElementById(endId)?.getBoundingClientRect().top ?? 0;
  // Somebody who reads the scores below is not at the end of the messages.
  return end > 0 && end - window.innerHeight < nearPixels;
}

export const scrollToEnd = () => document.getElementById(endId)?.scrollIntoView({ block: 'end' });

/**
 * The scroll position while messages arrive. A page at its end stays there. Another page says how many messages arrived.
 *
 * @param lastSeq the number of the last message on the page
 * @param isFollowing whether messages arrive by themselves
 * @returns how many messages arrived below the window, and how many in total
 */
export function useLiveScroll(lastSeq: number, isFollowing: boolean) {
  const wasNear = useRef(false);
  const previousSeq = useRef(lastSeq);
  const [unseenCount, setUnseenCount] = useState(0);
  const [arrivedCount, setArrivedCount] = useState(0);
  useEffect(() => {
    const look = () => {
      wasNear.current = isNearEnd();
      if (wasNear.current) setUnseenCount(0);
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [isFollowing]);
  useLayoutEffect(() => {
    const addedCount = lastSeq - previousSeq.current;
    previousSeq.current = lastSeq;
    if (!isFollowing || addedCount <= 0) return;
    setArrivedCount((count) => count + addedCount);
    if (wasNear.current) scrollToEnd();
    else setUnseenCount((count) => count + addedCount);
  }, [lastSeq]);
  return { unseenCount, arrivedCount };
}
