import assert from "node:assert/strict";
import { test } from "node:test";
import { Laurel, Proxy, admin, applyUpdates, newBoard, readEvents, until, url } from "./server.js";

const names = standings => standings?.entries.map(entry => entry.userId).join(" ");

/** Closed with the test, so that one that fails does not keep the others waiting. */
function watch(t, server, board, more = {}) {
  const seen = { states: [], changes: 0 };
  const live = new Laurel(server).watch(board, () => seen.changes++, { onState: state => seen.states.push(state), ...more });
  t.after(() => live.close());
  return { live, seen };
}

test("watch: a snapshot, then what moves", async t => {
  const proxy = await Proxy.start(t);
  const board = await newBoard();
  await admin.score(board, "ada", 3);
  const { live } = watch(t, proxy.url, board, { top: 2 });
  await until("the snapshot", () => names(live.standings) === "ada");
  assert.equal(live.state, "live");
  await admin.score(board, "bob", 5);
  await until("bob before ada", () => names(live.standings) === "bob ada");
  await admin.score(board, "cem", 4);
  await until("cem, and ada out of the range", () => names(live.standings) === "bob cem");
  await admin.call("deleteUser", { UUID: board, userId: "bob" });
  await until("ada is back", () => names(live.standings) === "cem ada");
  assert.deepEqual(live.standings.entries.map(entry => entry.rank), [1, 2]);
});

test("watch: a user and who stands around", async t => {
  const proxy = await Proxy.start(t);
  const board = await newBoard();
  const { live } = watch(t, proxy.url, board, { user: "ada", window: 1 });
  await until("nobody yet", () => names(live.standings) === "");
  for (const [user, score] of [["bob", 50], ["cem", 40], ["dora", 30], ["ada", 10]]) {
    await admin.score(board, user, score);
  }
  await until("ada is last", () => names(live.standings) === "dora ada");
  await admin.score(board, "ada", 45);
  await until("ada is second", () => names(live.standings) === "bob ada cem");
  assert.deepEqual(live.standings.entries.map(entry => entry.rank), [1, 2, 3]);
});

test("watch: a broken connection resumes where it was", async t => {
  const proxy = await Proxy.start(t);
  const board = await newBoard();
  await admin.score(board, "ada", 3);
  const { live, seen } = watch(t, proxy.url, board);
  await until("the snapshot", () => names(live.standings) === "ada");
  proxy.intercept = () => null;
  proxy.cut();
  await until("it has noticed", () => live.state !== "live");
  await admin.score(board, "bob", 5);
  proxy.intercept = () => undefined;
  await until("what was missed", () => names(live.standings) === "bob ada");
  assert.ok(proxy.requests.some(request => request.includes("lastEventId=")));
  assert.equal(seen.states[0], "connecting");
});

test("watch: without streams it polls, and goes back to the stream", async t => {
  const proxy = await Proxy.start(t);
  const board = await newBoard();
  await admin.score(board, "ada", 3);
  proxy.intercept = request => (request.includes("/stream") ? null : undefined);
  const { live, seen } = watch(t, proxy.url, board);
  await until("polling", () => live.state === "polling" && names(live.standings) === "ada");
  proxy.intercept = () => undefined;
  await until("live", () => live.state === "live");
  await admin.score(board, "bob", 5);
  await until("an update", () => names(live.standings) === "bob ada");
  assert.deepEqual(seen.states.filter((state, i) => state !== seen.states[i - 1]), ["connecting", "polling", "live"]);
});

test("watch: a private board by a ticket", async t => {
  const board = await newBoard({ visibility: "PRIVATE" });
  await admin.score(board, "ada", 3);
  const ticket = async () => (await admin.call("createTicket", { UUID: board })).ticket;
  const { live } = watch(t, process.env.LAUREL_URL, board, { ticket });
  await until("the snapshot", () => names(live.standings) === "ada");
  const refused = watch(t, process.env.LAUREL_URL, board);
  await until("offline", () => refused.live.state === "offline");
});

test("watch: after many changes it shows what the board says", async t => {
  const board = await newBoard();
  const { live } = watch(t, process.env.LAUREL_URL, board, { top: 20 });
  for (let batch = 0; batch < 40; batch++) {
    const scores = Array.from({ length: 25 }, () => ({
      userId: `u${Math.floor(Math.random() * 60)}`,
      score: Math.floor(Math.random() * 500),
    }));
    await admin.call("postScores", { UUID: board, body: { scores } });
  }
  const { users } = await admin.top(board, 20);
  const line = entry => `${entry.rank} ${entry.userId} ${entry.score}`;
  const expected = users.map(line).join();
  await until(expected, () => live.standings?.entries.map(line).join() === expected);
});

test("applyUpdates: each finds its place, however they are mixed", () => {
  const row = (userId, rank, score) => ({ userId, rank, score });
  const before = [row("a", 1, 9), row("b", 2, 8), row("c", 3, 7)];
  const updates = [
    { userId: "c", delta: 5, score: 12, rank: 1, position: 1, total: 4 },
    { userId: "a", delta: 0, score: 9, rank: 2, position: 2, total: 4 },
    { userId: "b", delta: 0, score: 8, rank: null, position: null, total: 4, left: true },
    { userId: "d", delta: 0, score: 8, rank: 3, position: 3, total: 4 },
  ];
  assert.deepEqual(applyUpdates(before, updates.reverse(), 1, 3), [row("c", 1, 12), row("a", 2, 9), row("d", 3, 8)]);
});

test("readEvents: lines that arrive in pieces, in every style", async () => {
  const text = "retry: 77\r\n\r\n: hello\rid: 1\revent: a\rdata: x\rdata: é\r\r\ndata:y\n\nid: 3\ndata\n\n";
  const bytes = new TextEncoder().encode(text);
  for (let size = 1; size < 9; size++) {
    const body = new ReadableStream({
      start(controller) {
        for (let at = 0; at < bytes.length; at += size) {
          controller.enqueue(bytes.slice(at, at + size));
        }
        controller.close();
      },
    });
    const events = [];
    let retry = 0;
    for await (const event of readEvents(body, ms => (retry = ms))) {
      if (event) {
        events.push(event);
      }
    }
    assert.equal(retry, 77);
    assert.deepEqual(events, [
      { event: "a", id: "1", data: "x\né" },
      { event: "message", id: null, data: "y" },
      { event: "message", id: "3", data: "" },
    ]);
  }
});

test("watch: boards of one client share a connection, one that is refused stops nobody", async t => {
  const proxy = await Proxy.start(t);
  const laurel = new Laurel(proxy.url);
  const boards = await Promise.all([1, 2, 3].map(() => newBoard({ update: "LATEST" })));
  for (const board of boards) {
    await admin.score(board, "ada", 1);
  }
  const seen = new Map();
  const states = new Map();
  const watch = board =>
    laurel.watch(board, standings => seen.set(board, standings.entries), {
      top: 2,
      onState: (state, problem) => states.set(board, problem?.code ?? state),
    });
  const live = [...boards, "nowhere"].map(watch);
  t.after(() => live.forEach(each => each.close()));
  await until("all are live", () => boards.every(board => states.get(board) === "live"));
  const streams = () => proxy.requests.filter(request => /^POST \/api\/v1\/stream /.test(request)).length;
  assert.equal(streams(), 1, proxy.requests.map(r => r.slice(0, 60) + r.slice(-400)).join("\n---\n"));
  await until("the other one is told why", () => states.get("nowhere") === "UNAUTHENTICATED");
  await admin.score(boards[1], "bob", 2);
  await until("a change", () => seen.get(boards[1])?.[0]?.userId === "bob");
  // Cut off, each goes on where it was.
  proxy.cut();
  await admin.score(boards[2], "cem", 3);
  await until("what was missed", () => seen.get(boards[2])?.[0]?.userId === "cem");
  assert.ok(streams() >= 2);
});

test("applyUpdates: a display name that is taken away and an old time are not kept", () => {
  const before = [{ userId: "ada", displayName: "Ada", rank: 1, score: 5, timestamp: "2026-01-01T00:00:00Z" }];
  const after = applyUpdates(before, [{ userId: "ada", delta: 1, score: 6, rank: 1, position: 1, total: 1, timestamp: "2026-01-02T00:00:00Z" }], 1, 10);
  assert.deepEqual(after, [{ userId: "ada", rank: 1, score: 6, timestamp: "2026-01-02T00:00:00Z" }]);
});

test("watch: the total and the status are told without a change of the rows", async t => {
  const board = await newBoard();
  await admin.score(board, "ada", 5);
  let now = null;
  const live = new Laurel(url).watch(board, standings => (now = standings), { top: 1 });
  t.after(() => live.close());
  await until("the first state", () => now?.total === 1);
  assert.equal(now.status, "ACTIVE");
  await admin.score(board, "bob", 1);
  await until("the total", () => now.total === 2);
  await admin.call("changeLeaderboard", { UUID: board, body: { status: "PAUSED" } });
  await until("the status", () => now.status === "PAUSED");
});

test("watch: one whose ticket does not come keeps nobody waiting", async t => {
  const proxy = await Proxy.start(t);
  const laurel = new Laurel(proxy.url);
  const [open, closed] = await Promise.all([newBoard(), newBoard({ visibility: "PRIVATE" })]);
  await admin.score(open, "ada", 1);
  await admin.score(closed, "bob", 1);
  let ticket = () => new Promise(() => {});
  let problem = null;
  let seen = null;
  const secret = laurel.watch(closed, standings => (seen = standings), {
    ticket: () => ticket(),
    onState: (state, why) => (problem = why),
  });
  const live = laurel.watch(open, () => {});
  t.after(() => [secret, live].forEach(each => each.close()));
  await until("the other one is live", () => live.state === "live" && names(live.standings) === "ada");
  assert.ok(problem);
  // Whoever comes later finds the connection as it is, while the ticket is waited for again.
  ticket = async () => (await admin.call("createTicket", { UUID: closed })).ticket;
  await until("it came in the end", () => names(seen) === "bob" && secret.state === "live");
});
