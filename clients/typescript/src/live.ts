/*
 * A board that moves by itself. This one file is the SDK's live part and, compiled, the server's laurel-live.js: no imports,
 * nothing but fetch, so that it runs in browsers and in Node (18 or later) alike.
 *
 * It reads the stream by fetch and not by EventSource, which hides why it was refused, cannot be told to wait as long as
 * the server asks, and is not in Node. The last event's id goes along as a query parameter: a header would cost every
 * reader on another origin a preflight.
 */

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
export class LaurelError extends Error {
  /**
   * @param retryAfter how long the server wants us to wait, in milliseconds
   */
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly retryAfter = 0,
  ) {
    super(message);
    this.name = "LaurelError";
  }

  /** Whether asking again is of no use until somebody changes something. */
  get isFinal(): boolean {
    return this.status >= 400 && this.status < 500 && this.status !== 408 && this.status !== 429;
  }

  static async of(answer: Response): Promise<LaurelError> {
    let error: { code?: string; message?: string } = {};
    try {
      error = (await answer.json()).error ?? {};
    } catch {
      // Not one of Laurel's own answers; the status has to do.
    }
    const seconds = Number(answer.headers.get("Retry-After"));
    return new LaurelError(
      answer.status,
      error.code ?? `HTTP_${answer.status}`,
      error.message ?? answer.statusText,
      Number.isFinite(seconds) ? seconds * 1000 : 0,
    );
  }
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

/** The server sends a sign of life every 15 s; after three missed ones nobody is there. */
const SILENCE = 45_000;
const FIRST_WORD = 10_000;

/** How long a ticket may take: others wait for the same connection. */
const TICKET_WAIT = 5_000;
const POLL_EVERY = 3_000;
const LONGEST_PAUSE = 30_000;

/** How often the stream may fail before the plain routes are asked. */
const PATIENCE = 2;

/** What a connection needs of one of those who watch. */
interface Watch {
  /** Where the board is. */
  readonly path: string;
  /** What to watch, as the parameters of a stream say it; asked before each connection. */
  query(): Promise<Record<string, string | number | undefined>>;
  board: string;
  take(event: string, id: string | null, data: Record<string, any>): void;
  /** Nothing comes at the moment; `failures` in a row. */
  lost(problem: LaurelError, failures: number): void;
  /** This one is refused; the others go on. */
  refused(problem: LaurelError): void;
}

/**
 * One connection for all who watch the same server with the same credentials: a browser has six of them for all its tabs,
 * and each board of its own would take one. One who watches alone has the plain stream of the board.
 */
class Connection {
  static readonly #open = new Map<string, Connection[]>();

  readonly #base: string;
  readonly #headers: LiveOptions["headers"];
  readonly #fetch: LiveOptions["fetch"];
  readonly #watches = new Set<Watch>();
  #attempt: AbortController | null = null;
  /** Whether somebody has come since the request was written. */
  #outdated = false;
  #runs = false;
  #retry = 2_000;
  #wake = () => {};

  private constructor(base: string, headers: LiveOptions["headers"], fetch: LiveOptions["fetch"]) {
    this.#base = base;
    this.#headers = headers;
    this.#fetch = fetch;
  }

  static of(base: string, { headers, fetch }: LiveOptions): Connection {
    const there = Connection.#open.get(base) ?? [];
    Connection.#open.set(base, there);
    let found = there.find(each => each.#headers === headers && each.#fetch === fetch);
    if (!found) {
      found = new Connection(base, headers, fetch);
      there.push(found);
    }
    return found;
  }

  add(watch: Watch): void {
    this.#watches.add(watch);
    this.#outdated = true;
    // Those who come together are one request.
    setTimeout(() => (this.#runs ? this.#again() : void this.#run()));
  }

  /** The others keep what they have: what still comes for this one is dropped. */
  remove(watch: Watch): void {
    this.#watches.delete(watch);
    if (this.#watches.size === 0) {
      this.#attempt?.abort();
      this.#wake();
    }
  }

  #again(): void {
    if (this.#outdated) {
      this.#attempt?.abort();
      this.#wake();
    }
  }

  #hurry = () => this.#wake();

  async #run(): Promise<void> {
    if (this.#runs || this.#watches.size === 0) {
      return;
    }
    this.#runs = true;
    globalThis.addEventListener?.("online", this.#hurry);
    let failures = 0;
    while (this.#watches.size > 0) {
      this.#outdated = false;
      const problem = await this.#stream(() => (failures = 0));
      if (this.#outdated || this.#watches.size === 0) {
        continue;
      }
      failures = problem.isFinal ? Math.max(failures + 1, PATIENCE) : failures + 1;
      this.#watches.forEach(watch => watch.lost(problem, failures));
      // Spread: all of a server's watchers come back at once when it was restarted.
      const pause = Math.min(LONGEST_PAUSE, this.#retry * 2 ** (failures - 1)) * (0.5 + Math.random() / 2);
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, Math.max(pause, problem.retryAfter));
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    globalThis.removeEventListener?.("online", this.#hurry);
    this.#runs = false;
    // One who was refused may have come back to a connection that nobody else finds any more.
    const there = Connection.#open.get(this.#base) ?? [];
    Connection.#open.set(this.#base, there.filter(each => each !== this));
  }

  /** Reads the stream until it ends, which it always does by a problem. */
  async #stream(heard: () => void): Promise<LaurelError> {
    const attempt = new AbortController();
    this.#attempt = attempt;
    let watchdog: ReturnType<typeof setTimeout> | undefined;
    try {
      const watches = [...this.#watches];
      const queries = await Promise.all(watches.map(watch => inTime(watch.query())));
      watchdog = setTimeout(() => attempt.abort(), FIRST_WORD);
      const ready: Watch[] = [];
      const asked: Record<string, unknown>[] = [];
      queries.forEach((query, i) => {
        if (query instanceof LaurelError) {
          watches[i]!.refused(query);
        } else {
          ready.push(watches[i]!);
          asked.push(query);
        }
      });
      if (ready.length === 0) {
        return new LaurelError(0, "NOT_REACHED", "nobody may watch");
      }
      const alone = ready.length === 1;
      const answer = alone
        ? await request(parameters(ready[0]!.path + "/stream", asked[0]!), this.#headers, this.#fetch, attempt.signal)
        : await request(new URL("/api/v1/stream", this.#base), this.#headers, this.#fetch, attempt.signal, {
            watch: asked.map((query, i) => ({ board: ready[i]!.board, ...query })),
          });
      if (!answer.body || !answer.headers.get("Content-Type")?.startsWith("text/event-stream")) {
        return new LaurelError(0, "NOT_A_STREAM", "the answer is not a stream of events");
      }
      const names = new Map<string, Set<Watch>>();
      for await (const event of readEvents(answer.body, ms => (this.#retry = ms))) {
        clearTimeout(watchdog);
        watchdog = setTimeout(() => attempt.abort(), SILENCE);
        if (event) {
          heard();
          const data = JSON.parse(event.data);
          if (alone) {
            this.#tell(ready[0]!, event.event, event.id, data);
          } else {
            this.#dispatch(data, ready, names);
          }
        }
      }
      return new LaurelError(0, "STREAM_ENDED", "the server ended the stream");
    } catch (e) {
      return problemOf(e);
    } finally {
      clearTimeout(watchdog);
      attempt.abort();
    }
  }

  #dispatch({ stream, event, id, data }: Record<string, any>, ready: Watch[], names: Map<string, Set<Watch>>): void {
    const asked = ready[data.watch];
    if (event === "stream.opened") {
      if (asked) {
        names.set(data.stream, (names.get(data.stream) ?? new Set()).add(asked));
      }
    } else if (event === "stream.refused") {
      if (asked && this.#watches.has(asked)) {
        asked.refused(new LaurelError(data.status, data.code, data.message));
      }
    } else {
      names.get(stream)?.forEach(watch => this.#tell(watch, event, id ?? null, data));
    }
  }

  #tell(watch: Watch, event: string, id: string | null, data: Record<string, any>): void {
    if (this.#watches.has(watch)) {
      watch.take(event, id, data);
    }
  }
}

/** What was promised, or why it did not come. */
function inTime<T>(promised: Promise<T>): Promise<T | LaurelError> {
  return new Promise(resolve => {
    const late = new LaurelError(0, "NOT_REACHED", `no ticket within ${TICKET_WAIT} ms`);
    const timer = setTimeout(() => resolve(late), TICKET_WAIT);
    promised.then(resolve, e => resolve(problemOf(e))).finally(() => clearTimeout(timer));
  });
}

function problemOf(e: unknown): LaurelError {
  return e instanceof LaurelError ? e : new LaurelError(0, "NOT_REACHED", String(e));
}

function parameters(path: string, values: Record<string, unknown>): URL {
  const url = new URL(path);
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) {
      url.searchParams.set(name, String(value));
    }
  }
  return url;
}

async function request(
  url: URL,
  headers: LiveOptions["headers"],
  fetcher: LiveOptions["fetch"],
  signal: AbortSignal,
  body?: unknown,
): Promise<Response> {
  const sent = typeof headers === "function" ? await headers() : (headers ?? {});
  const more =
    body === undefined
      ? { headers: sent }
      : { method: "POST", headers: { ...sent, "Content-Type": "application/json" }, body: JSON.stringify(body) };
  const answer = await (fetcher ?? fetch)(url, { ...more, signal, cache: "no-store" });
  if (!answer.ok) {
    throw await LaurelError.of(answer);
  }
  return answer;
}

/**
 * Watches a part of a board until it is closed.
 *
 *     const live = new LiveBoard({ board: "arcade", onChange: board => draw(board.entries) });
 *     live.close();
 */
export class LiveBoard {
  readonly #options: LiveOptions;
  readonly #path: string;
  readonly #connection: Connection;
  readonly #watch: Watch;
  #closed = false;
  #standings: LiveStandings | null = null;
  #state: LiveState | null = null;
  #problem: LaurelError | null = null;
  #lastEventId: string | null = null;
  /** The position of the first entry. */
  #from = 1;
  #pending: LiveUpdate[] = [];
  #polls = false;
  /** How often it was refused in a row, and what ends the pause before it asks again. */
  #refusals = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #wake = () => {};

  constructor(options: LiveOptions) {
    this.#options = options;
    const base = options.server ?? (globalThis as { location?: Location }).location?.href;
    if (base === undefined) {
      throw new TypeError("server: undefined (expected: where Laurel is, such as http://127.0.0.1:8080)");
    }
    const { board } = options;
    this.#path = new URL(`/api/v1/leaderboards/${encodeURIComponent(board)}`, base).href;
    this.#watch = {
      board,
      path: this.#path,
      query: () => this.#streamQuery(),
      take: (event, id, data) => this.#take(event, id, data),
      lost: (problem, failures) => this.#lost(problem, failures),
      refused: problem => this.#refused(problem),
    };
    this.#connection = Connection.of(new URL("/", base).href, options);
    // After whoever made it has it in hand.
    queueMicrotask(() => {
      if (!this.#closed) {
        this.#enter("connecting");
        this.#connection.add(this.#watch);
      }
    });
  }

  get standings(): LiveStandings | null {
    return this.#standings;
  }

  get state(): LiveState {
    return this.#state ?? "connecting";
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    this.#connection.remove(this.#watch);
    this.#wake();
  }

  #lost(problem: LaurelError, failures: number): void {
    this.#pending = [];
    this.#enter(failures < PATIENCE ? "connecting" : this.state, problem);
    if (failures >= PATIENCE) {
      void this.#keepPolling();
    }
  }

  /** The connection goes on without it; it comes back later, as something may have changed by then. */
  #refused(problem: LaurelError): void {
    this.#connection.remove(this.#watch);
    this.#lost(problem, PATIENCE);
    const pause = Math.min(LONGEST_PAUSE, 2_000 * 2 ** this.#refusals++) * (0.5 + Math.random() / 2);
    this.#timer = setTimeout(() => void this.#comeBack(), Math.max(pause, problem.retryAfter));
  }

  /** With a ticket at hand, if it needs one: the others are not to wait for it once more. */
  async #comeBack(): Promise<void> {
    const query = await inTime(this.#streamQuery());
    if (this.#closed) {
      return;
    }
    if (query instanceof LaurelError) {
      this.#refused(query);
    } else {
      this.#connection.add(this.#watch);
    }
  }

  /** Asks by the plain routes until the stream is there again. */
  async #keepPolling(): Promise<void> {
    if (this.#polls) {
      return;
    }
    this.#polls = true;
    while (this.#polls && !this.#closed) {
      await this.#poll();
      if (!this.#polls) {
        return;
      }
      await new Promise<void>(resolve => {
        const timer = setTimeout(resolve, this.#state === "polling" ? POLL_EVERY : 2 * POLL_EVERY);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  async #streamQuery(): Promise<Record<string, string | number | undefined>> {
    const { top, user, window, ticket, period, season, tenant } = this.#options;
    return {
      period,
      season,
      tenant,
      ...(user === undefined ? { top: top ?? 10 } : { user, window: window ?? 5 }),
      ticket: await ticket?.(),
      lastEventId: this.#lastEventId ?? undefined,
    };
  }

  async #poll(): Promise<void> {
    const { top, user, window, period, season, tenant, headers, fetch } = this.#options;
    const get = async (path: string, more: Record<string, unknown>) => {
      const url = parameters(this.#path + path, { period, season, tenant, ...more });
      return (await request(url, headers, fetch, AbortSignal.timeout(FIRST_WORD))).json();
    };
    const before = this.#standings;
    try {
      let shown: LiveStandings;
      if (user === undefined) {
        const page = await get("/top", { limit: top ?? 10 });
        shown = { season: before?.season ?? null, total: page.totalUsers, entries: page.users };
      } else {
        const page = await get(`/users/${encodeURIComponent(user)}/around`, { window: window ?? 5 });
        const others: LiveEntry[] = [...page.above, ...page.below];
        shown = { season: before?.season ?? null, total: page.totalUsers, entries: [...page.above, page.user, ...page.below] };
        if (page.user.outside) {
          shown = { ...shown, entries: others, user: page.user };
        }
      }
      if (!this.#polls || this.#closed) {
        return; // the stream was sooner
      }
      // The stream could not go on from here: its events are about an older state.
      this.#lastEventId = null;
      this.#enter("polling", this.#problem);
      this.#show(shown);
    } catch (e) {
      if (!this.#polls || this.#closed) {
        return;
      }
      if (e instanceof LaurelError && e.code === "USER_NOT_FOUND") {
        this.#enter("polling", this.#problem);
        this.#show({ season: null, total: before?.total ?? 0, entries: [] });
      } else {
        this.#enter("offline", problemOf(e));
      }
    }
  }

  #take(event: string, id: string | null, data: Record<string, any>): void {
    this.#refusals = 0;
    if (this.#polls) {
      this.#polls = false;
      this.#wake();
    }
    if (event === "leaderboard.snapshot") {
      const { season, total, status, entries, from, user } = data;
      this.#pending = [];
      this.#from = from ?? 1;
      this.#show({ season, total, status, entries, ...(user ? { user } : {}) });
    } else if (event === "leaderboard.update") {
      this.#pending.push(data as LiveUpdate);
    } else if (event === "leaderboard.info" && this.#standings) {
      const { season, total, status } = data;
      this.#show({ ...this.#standings, season, total, status });
    }
    this.#enter("live");
    if (id !== null) {
      // Only the last event of a tick brings an id, so that neither a reader nor a resumption sees half of one.
      this.#lastEventId = id;
      this.#applyPending();
    }
  }

  #applyPending(): void {
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
      total: updates[updates.length - 1]!.total,
      entries: applyUpdates(before.entries, updates, this.#from, places),
    });
  }

  #show(standings: LiveStandings): void {
    this.#standings = standings;
    this.#options.onChange?.(standings);
  }

  #enter(state: LiveState, problem: LaurelError | null = null): void {
    const isNews = state !== this.#state || problem?.code !== this.#problem?.code;
    this.#state = state;
    this.#problem = problem;
    if (isNews && !this.#closed) {
      this.#options.onState?.(state, problem);
    }
  }
}

/**
 * What the board looks like after a tick: those who changed are taken out and put back at their new places, in ascending
 * order, so that each finds the rows before it in place already.
 */
export function applyUpdates(
  entries: readonly LiveEntry[],
  updates: readonly LiveUpdate[],
  from: number,
  places: number,
): LiveEntry[] {
  const changed = new Set(updates.map(update => update.userId));
  const after = entries.filter(entry => !changed.has(entry.userId));
  const placed = updates.filter(update => update.position !== null);
  for (const { userId, displayName, rank, score, position, timestamp } of placed.sort((a, b) => a.position! - b.position!)) {
    // Nothing of the old row: a name that is not told any more is gone.
    const entry: LiveEntry = { userId, rank: rank!, score: score! };
    if (displayName !== undefined) {
      entry.displayName = displayName;
    }
    if (timestamp !== undefined) {
      entry.timestamp = timestamp;
    }
    after.splice(position! - from, 0, entry);
  }
  return after.slice(0, places);
}

/** The events of a stream (HTML standard, 9.2.6); null for a sign of life that is not one. */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  onRetry: (ms: number) => void,
): AsyncGenerator<StreamEvent | null> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let event = "message";
  let id: string | null = null;
  let data: string[] = [];
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }
      text += decoder.decode(value, { stream: true });
      // A carriage return at the end may be half of a line's end.
      const lines = text.split(/\r\n|\n|\r(?!$)/);
      text = lines.pop()!;
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
        } else if (field === "event") {
          event = rest;
        } else if (field === "id") {
          id = rest;
        } else if (field === "retry" && /^[0-9]+$/.test(rest)) {
          onRetry(Number(rest));
        }
      }
      yield null;
    }
  } finally {
    reader.releaseLock();
  }
}
