/*
 * A board that moves by itself. This one file is the SDK's live part and, compiled, the server's laurel-live.js: no imports,
 * nothing but fetch, so that it runs in browsers and in Node (18 or later) alike.
 *
 * It reads the stream by fetch and not by EventSource, which hides why it was refused, cannot be told to wait as long as
 * the server asks, and is not in Node. The last event's id goes along as a query parameter: a header would cost every
 * reader on another origin a preflight.
 */
/** What the server refused and why, by its stable code; status 0: it was not reached, or broke off. */
export class LaurelError extends Error {
    status;
    code;
    retryAfter;
    /**
     * @param retryAfter how long the server wants us to wait, in milliseconds
     */
    constructor(status, code, message, retryAfter = 0) {
        super(message);
        this.status = status;
        this.code = code;
        this.retryAfter = retryAfter;
        this.name = "LaurelError";
    }
    /** Whether asking again is of no use until somebody changes something. */
    get isFinal() {
        return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429;
    }
    static async of(answer) {
        let error = {};
        try {
            error = (await answer.json()).error ?? {};
        }
        catch {
            // Not one of Laurel's own answers; the status has to do.
        }
        const seconds = Number(answer.headers.get("Retry-After"));
        return new LaurelError(answer.status, error.code ?? `HTTP_${answer.status}`, error.message ?? answer.statusText, Number.isFinite(seconds) ? seconds * 1000 : 0);
    }
}
/** The server sends a sign of life every 15 s; after three missed ones nobody is there. */
const SILENCE = 45_000;
const FIRST_WORD = 10_000;
const POLL_EVERY = 3_000;
const LONGEST_PAUSE = 30_000;
/** How often the stream may fail before the plain routes are asked. */
const PATIENCE = 2;
/**
 * Watches a part of a board until it is closed.
 *
 *     const live = new LiveBoard({ board: "arcade", onChange: board => draw(board.entries) });
 *     live.close();
 */
export class LiveBoard {
    #options;
    #path;
    #stopped = new AbortController();
    #standings = null;
    #state = null;
    #problem = null;
    #lastEventId = null;
    /** The position of the first entry. */
    #from = 1;
    #pending = [];
    #retry = 2_000;
    #wake = () => { };
    constructor(options) {
        this.#options = options;
        const base = options.server ?? globalThis.location?.href;
        if (base === undefined) {
            throw new TypeError("server: undefined (expected: where Laurel is, such as http://127.0.0.1:8080)");
        }
        this.#path = new URL(`/api/v1/leaderboards/${encodeURIComponent(options.board)}`, base).href;
        globalThis.addEventListener?.("online", this.#hurry);
        void this.#run();
    }
    get standings() {
        return this.#standings;
    }
    get state() {
        return this.#state ?? "connecting";
    }
    close() {
        globalThis.removeEventListener?.("online", this.#hurry);
        this.#stopped.abort();
        this.#wake();
    }
    get #isClosed() {
        return this.#stopped.signal.aborted;
    }
    #hurry = () => this.#wake();
    /** A round: the stream if it is due; where it keeps failing, one question by the plain route; a pause. */
    async #run() {
        let failures = 0;
        let due = 0;
        while (!this.#isClosed) {
            if (Date.now() >= due) {
                this.#enter(this.#state === "polling" || this.#state === "offline" ? this.#state : "connecting");
                const problem = await this.#stream(() => (failures = 0));
                if (this.#isClosed) {
                    return;
                }
                this.#pending = [];
                failures = problem.isFinal ? Math.max(failures + 1, PATIENCE) : failures + 1;
                // Spread: all of a server's watchers come back at once when it was restarted.
                const pause = Math.min(LONGEST_PAUSE, this.#retry * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
                due = Date.now() + Math.max(pause, problem.retryAfter);
                this.#enter(failures < PATIENCE ? "connecting" : this.state, problem);
            }
            if (failures >= PATIENCE) {
                await this.#poll();
            }
            const pause = due - Date.now();
            await this.#pause(this.#state === "polling" ? Math.min(pause, POLL_EVERY) : pause, () => (due = 0));
        }
    }
    /** Reads the stream until it ends, which it always does by a problem. */
    async #stream(heard) {
        const attempt = new AbortController();
        const stop = () => attempt.abort();
        this.#stopped.signal.addEventListener("abort", stop);
        let watchdog = setTimeout(stop, FIRST_WORD);
        try {
            const answer = await this.#get("/stream", await this.#streamQuery(), attempt.signal);
            if (!answer.body || !answer.headers.get("Content-Type")?.startsWith("text/event-stream")) {
                return new LaurelError(0, "NOT_A_STREAM", "the answer is not a stream of events");
            }
            for await (const event of readEvents(answer.body, ms => (this.#retry = ms))) {
                clearTimeout(watchdog);
                watchdog = setTimeout(stop, SILENCE);
                if (event) {
                    heard();
                    this.#take(event);
                }
            }
            return new LaurelError(0, "STREAM_ENDED", "the server ended the stream");
        }
        catch (e) {
            return e instanceof LaurelError ? e : new LaurelError(0, "NOT_REACHED", String(e));
        }
        finally {
            clearTimeout(watchdog);
            this.#stopped.signal.removeEventListener("abort", stop);
            attempt.abort();
        }
    }
    async #streamQuery() {
        const { top, user, window, ticket } = this.#options;
        return {
            ...(user === undefined ? { top: top ?? 10 } : { user, window: window ?? 5 }),
            ticket: await ticket?.(),
            lastEventId: this.#lastEventId ?? undefined,
        };
    }
    async #poll() {
        const { top, user, window } = this.#options;
        try {
            const signal = AbortSignal.timeout(FIRST_WORD);
            let entries;
            let total;
            if (user === undefined) {
                const page = await (await this.#get("/top", { limit: top ?? 10 }, signal)).json();
                entries = page.users;
                total = page.totalUsers;
            }
            else {
                const path = `/users/${encodeURIComponent(user)}/around`;
                const page = await (await this.#get(path, { window: window ?? 5 }, signal)).json();
                entries = [...page.above, page.user, ...page.below];
                total = page.totalUsers;
            }
            // The stream could not go on from here: its events are about an older state.
            this.#lastEventId = null;
            this.#enter("polling", this.#problem);
            this.#show({ season: this.#standings?.season ?? null, total, entries });
        }
        catch (e) {
            if (e instanceof LaurelError && e.code === "USER_NOT_FOUND") {
                this.#enter("polling", this.#problem);
                this.#show({ season: null, total: this.#standings?.total ?? 0, entries: [] });
            }
            else {
                this.#enter("offline", e instanceof LaurelError ? e : new LaurelError(0, "NOT_REACHED", String(e)));
            }
        }
    }
    async #get(path, more, signal) {
        const { period, season, tenant, headers } = this.#options;
        const url = new URL(this.#path + path);
        for (const [name, value] of Object.entries({ period, season, tenant, ...more })) {
            if (value !== undefined) {
                url.searchParams.set(name, String(value));
            }
        }
        const sent = typeof headers === "function" ? await headers() : (headers ?? {});
        const answer = await (this.#options.fetch ?? fetch)(url, { headers: sent, signal, cache: "no-store" });
        if (!answer.ok) {
            throw await LaurelError.of(answer);
        }
        return answer;
    }
    #take({ event, id, data }) {
        if (event === "leaderboard.snapshot") {
            const { season, total, entries, from } = JSON.parse(data);
            this.#pending = [];
            this.#from = from ?? 1;
            this.#show({ season, total, entries });
        }
        else if (event === "leaderboard.update") {
            this.#pending.push(JSON.parse(data));
        }
        this.#enter("live");
        if (id !== null) {
            // Only the last event of a tick brings an id, so that neither a reader nor a resumption sees half of one.
            this.#lastEventId = id;
            this.#applyPending();
        }
    }
    #applyPending() {
        const updates = this.#pending;
        const before = this.#standings;
        if (updates.length === 0 || !before) {
            return;
        }
        this.#pending = [];
        const { top, user, window } = this.#options;
        const places = user === undefined ? (top ?? 10) : 2 * (window ?? 5) + 1;
        this.#show({
            ...before,
            total: updates[updates.length - 1].total,
            entries: applyUpdates(before.entries, updates, this.#from, places),
        });
    }
    #show(standings) {
        this.#standings = standings;
        this.#options.onChange?.(standings);
    }
    #enter(state, problem = null) {
        const isNews = state !== this.#state || problem?.code !== this.#problem?.code;
        this.#state = state;
        this.#problem = problem;
        if (isNews && !this.#isClosed) {
            this.#options.onState?.(state, problem);
        }
    }
    /** Waits, unless the browser says that it is online again, or all is over. */
    #pause(ms, hurried) {
        return new Promise(resolve => {
            const timer = setTimeout(resolve, Math.max(0, ms));
            this.#wake = () => {
                clearTimeout(timer);
                hurried();
                resolve();
            };
        });
    }
}
/**
 * What the board looks like after a tick: those who changed are taken out and put back at their new places, in ascending
 * order, so that each finds the rows before it in place already.
 */
export function applyUpdates(entries, updates, from, places) {
    const before = new Map(entries.map(entry => [entry.userId, entry]));
    const changed = new Set(updates.map(update => update.userId));
    const after = entries.filter(entry => !changed.has(entry.userId));
    const placed = updates.filter(update => update.position !== null);
    for (const { userId, displayName, rank, score, position, timestamp } of placed.sort((a, b) => a.position - b.position)) {
        const entry = { ...before.get(userId), userId, rank: rank, score: score };
        if (displayName !== undefined) {
            entry.displayName = displayName;
        }
        if (timestamp !== undefined) {
            entry.timestamp = timestamp;
        }
        after.splice(position - from, 0, entry);
    }
    return after.slice(0, places);
}
/** The events of a stream (HTML standard, 9.2.6); null for a sign of life that is not one. */
export async function* readEvents(body, onRetry) {
    const reader = body.getReader();
    const decoder = new TextDecoder();
    let text = "";
    let event = "message";
    let id = null;
    let data = [];
    try {
        for (;;) {
            const { done, value } = await reader.read();
            if (done) {
                return;
            }
            text += decoder.decode(value, { stream: true });
            // A carriage return at the end may be half of a line's end.
            const lines = text.split(/\r\n|\n|\r(?!$)/);
            text = lines.pop();
            for (const line of lines) {
                if (line === "") {
                    if (data.length > 0) {
                        yield { event, id, data: data.join("\n") };
                    }
                    event = "message";
                    id = null;
                    data = [];
                    continue;
                }
                const colon = line.indexOf(":");
                const field = colon < 0 ? line : line.slice(0, colon);
                const rest = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
                if (field === "data") {
                    data.push(rest);
                }
                else if (field === "event") {
                    event = rest;
                }
                else if (field === "id") {
                    id = rest;
                }
                else if (field === "retry" && /^[0-9]+$/.test(rest)) {
                    onRetry(Number(rest));
                }
            }
            yield null;
        }
    }
    finally {
        reader.releaseLock();
    }
}
