/** One line of a board. */
export interface LiveEntry {
    userId: string;
    displayName?: string;
    /** Absent beyond the last place of a window with a capacity. */
    rank?: number;
    score: number;
    timestamp?: string;
    /** True beyond the last place of a window with a capacity. */
    outside?: boolean;
}
type Headers = Record<string, string>;
/** Times are ISO 8601; a season without an end has none. */
export interface LiveSeason {
    id: string;
    label: string;
    status: string;
    startsAt?: string | null;
    endsAt?: string | null;
}
/** What is known of the watched part of a board. Every change makes a new one. */
export interface LiveStandings {
    /** Null while only polling has answered: the plain routes do not say. */
    season: LiveSeason | null;
    /** How many are on the board. */
    total: number;
    /** Of the board: ACTIVE, PAUSED and so on; absent while only polling has answered. */
    status?: string;
    entries: readonly LiveEntry[];
    /** The watched user, if there is a score and no place for it. */
    user?: LiveEntry;
}
/**
 * `connecting`: no answer yet, or the stream broke a moment ago. `live`: changes come by themselves. `polling`: the stream
 * keeps failing, the plain routes are asked every few seconds. `offline`: neither answers; it goes on trying.
 */
export type LiveState = "connecting" | "live" | "polling" | "offline";
export interface LiveOptions {
    /** Where Laurel is; in a browser the page's own origin if absent. */
    server?: string | URL;
    /** The board's UUID. */
    board: string;
    /** The best so many (1..100), 10 if absent. */
    top?: number;
    /** Instead of the best: the neighbourhood of this user, `window` places each side (5 if absent). */
    user?: string;
    window?: number;
    /** Which window of the board, and which of its seasons. */
    period?: string;
    season?: string;
    tenant?: string;
    /** For private boards: an API key or a token, or what fetches a fresh one. */
    headers?: Headers | (() => Headers | Promise<Headers>);
    /** For private boards on pages that must not have a key: asked for a fresh ticket before each connection. */
    ticket?: () => Promise<string>;
    /** Called with each new state of the board. */
    onChange?: (standings: LiveStandings) => void;
    /** Called when the connection's state changes; `problem` says why it is not live. */
    onState?: (state: LiveState, problem: LaurelError | null) => void;
    fetch?: typeof fetch;
}
/** What the server refused and why, by its stable code; status 0: it was not reached, or broke off. */
export declare class LaurelError extends Error {
    readonly status: number;
    readonly code: string;
    readonly retryAfter: number;
    /**
     * @param retryAfter how long the server wants us to wait, in milliseconds
     */
    constructor(status: number, code: string, message: string, retryAfter?: number);
    /** Whether asking again is of no use until somebody changes something. */
    get isFinal(): boolean;
    static of(answer: Response): Promise<LaurelError>;
}
/** A change of one user, as `leaderboard.update` has it. */
export interface LiveUpdate {
    userId: string;
    displayName?: string;
    delta: number | null;
    score: number | null;
    rank: number | null;
    /** The place in the order, from 1; equal scores share a rank and never a position. Null: no longer in range. */
    position: number | null;
    total: number;
    timestamp?: string;
}
/** One event of a stream; `id` is null if it brings none of its own. */
export interface StreamEvent {
    event: string;
    id: string | null;
    data: string;
}
/**
 * Watches a part of a board until it is closed.
 *
 *     const live = new LiveBoard({ board: "arcade", onChange: board => draw(board.entries) });
 *     live.close();
 */
export declare class LiveBoard {
    #private;
    constructor(options: LiveOptions);
    get standings(): LiveStandings | null;
    get state(): LiveState;
    close(): void;
}
/**
 * What the board looks like after a tick: those who changed are taken out and put back at their new places, in ascending
 * order, so that each finds the rows before it in place already.
 */
export declare function applyUpdates(entries: readonly LiveEntry[], updates: readonly LiveUpdate[], from: number, places: number): LiveEntry[];
/** The events of a stream (HTML standard, 9.2.6); null for a sign of life that is not one. */
export declare function readEvents(body: ReadableStream<Uint8Array>, onRetry: (ms: number) => void): AsyncGenerator<StreamEvent | null>;
export {};
