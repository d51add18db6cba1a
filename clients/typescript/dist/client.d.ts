import { type LineResult, type Operations, type Outcome, type ScoreLine } from "./api.js";
import { LiveBoard, type LiveOptions, type LiveStandings } from "./live.js";
/** How to talk to a server. Without a key or a token only public boards can be read. */
export interface LaurelOptions {
    /** A service's key. */
    apiKey?: string;
    /** A user's token, or what fetches a fresh one: it is asked before every call. */
    token?: string | (() => string | Promise<string>);
    /** Whose boards, for calls without a key that are not about the tenant `default`. */
    tenant?: string;
    /** How often a call is made at most (5), and how long one of them may take (10,000 ms). */
    attempts?: number;
    timeout?: number;
    fetch?: typeof fetch;
}
/** Which season of a board: the running one of its first window if nothing is said. */
export interface Which {
    period?: string;
    season?: string;
    at?: string;
}
/**
 * The lines of a batch by what became of them; `line` is the place in what was sent, from 0. Only REJECTED lines may be mended and
 * sent again: HELD ones are in, and wait until somebody has looked at them.
 */
export type BatchOutcome = Record<Outcome, Array<LineResult & {
    line: number;
}>>;
type Id = keyof Operations;
type Input<K extends Id> = Operations[K]["input"];
type Answer<K extends Id> = Operations[K]["answer"];
/**
 * A thin client: `call` reaches every operation of the API by its name, with types; the other methods are those that most
 * programs need. Calls that the server could not take (429, 502, 503, 504, no connection) are repeated, a write always
 * under the key it was first sent with, so that it counts once however often it arrives.
 */
export declare class Laurel {
    #private;
    constructor(server: string | URL, options?: LaurelOptions);
    /** Points for an action of the user whose token it is; the rules on the server say how many. */
    award(actionType: string, actionId: string, more?: {
        board?: string;
        key?: string;
    }): Promise<Answer<"award">>;
    /** A user's score, by the board's own rule. */
    score(UUID: string, userId: string, score: number, key?: string): Promise<Answer<"putScore">>;
    /** Up to 1,000 scores at once, and what became of each, by outcome. */
    scores(UUID: string, lines: ScoreLine[], key?: string): Promise<BatchOutcome>;
    top(UUID: string, limit?: number, which?: Which): Promise<Answer<"top">>;
    rank(UUID: string, userId: string, which?: Which): Promise<Answer<"rank">>;
    around(UUID: string, userId: string, window?: number, which?: Which): Promise<Answer<"around">>;
    /** A board that moves by itself: `onChange` gets each new state, until `close()` is called. */
    watch(board: string, onChange: (standings: LiveStandings) => void, more?: Partial<LiveOptions>): LiveBoard;
    /**
     * Any operation of the API, by its operationId.
     *
     * @param input its parameters, and its body as `body`
     * @param key the Idempotency-Key of a write, if it shall outlive this call
     */
    call<K extends Id>(operation: K, input: Input<K>, key?: string): Promise<Answer<K>>;
}
export {};
