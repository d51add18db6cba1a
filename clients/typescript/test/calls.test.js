import assert from "node:assert/strict";
import { test } from "node:test";
import { Laurel, LaurelError, Proxy, admin, answer, newBoard, token, url } from "./server.js";

const keyOf = request => /^idempotency-key: (.*)\r$/im.exec(request)?.[1];

test("top, rank, around: what was sent is read", async t => {
  const board = await newBoard();
  for (const [user, score] of [["ada", 3], ["bob", 5], ["cem", 4]]) {
    await admin.score(board, user, score);
  }
  const anyone = new Laurel(url);
  const top = await anyone.top(board, 2);
  assert.deepEqual(top.users.map(user => [user.rank, user.userId, user.score]), [[1, "bob", 5], [2, "cem", 4]]);
  assert.equal((await anyone.rank(board, "ada")).rank, 3);
  assert.deepEqual((await anyone.around(board, "cem", 1)).above.map(user => user.userId), ["bob"]);
});

test("scores: held lines are neither taken nor rejected", async t => {
  const board = await newBoard({ update: "SUM" });
  await admin.call("putGuard", {
    UUID: board,
    body: { rules: [{ rule: "JUMP", threshold: 100, outcome: "QUARANTINE" }] },
  });
  const outcome = await admin.scores(board, [
    { userId: "ada", score: 5 },
    { userId: "bob", score: 900 },
    { userId: "cem", score: -1 },
  ]);
  assert.deepEqual(outcome.APPLIED.map(line => line.userId), ["ada"]);
  assert.deepEqual(outcome.HELD.map(({ userId, line }) => [userId, line]), [["bob", 1]]);
  assert.deepEqual(outcome.REJECTED.map(({ line, code }) => [line, code]), [[2, "SCORE_OUT_OF_BOUNDS"]]);
  assert.equal(outcome.UNCHANGED.length + outcome.DUPLICATE.length, 0);
});

test("award: an answer that was lost is not given twice", async t => {
  const proxy = await Proxy.start(t);
  const ada = new Laurel(proxy.url, { token: () => token });
  const before = (await ada.award("share_link", `first-${process.pid}`)).total;
  let tries = 0;
  // The first request reaches the server and its answer gets lost; the second is refused; the third gets through.
  proxy.intercept = request => {
    tries++;
    if (tries === 1) {
      fetch(`${url}/v1/scores/award`, {
        method: "POST",
        headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json", "Idempotency-Key": keyOf(request) },
        body: JSON.stringify({ action_type: "watch_video", action_id: `lost-${process.pid}` }),
      }).then(() => proxy.cut());
      return answer(503, "Retry-After: 0\r\n");
    }
    return tries === 2 ? answer(503, "Retry-After: 0\r\n") : undefined;
  };
  proxy.requests.length = 0;
  const given = await ada.award("watch_video", `lost-${process.pid}`);
  assert.equal(given.total, before + 25);
  assert.ok(tries >= 3);
  assert.equal(new Set(proxy.requests.map(keyOf)).size, 1);
});

test("call: waits as long as the server asks, and gives up in the end", async t => {
  const proxy = await Proxy.start(t);
  const board = await newBoard();
  const times = [];
  proxy.intercept = () => {
    times.push(Date.now());
    return times.length < 2 ? answer(429, "Retry-After: 1\r\n") : undefined;
  };
  await new Laurel(proxy.url).top(board);
  assert.ok(times[1] - times[0] >= 990, `${times[1] - times[0]} ms`);
  proxy.intercept = () => null;
  await assert.rejects(new Laurel(proxy.url, { attempts: 3 }).top(board), { name: "LaurelError", status: 0 });
});

test("call: what the server refuses is not repeated, and says why", async t => {
  const proxy = await Proxy.start(t);
  const board = await newBoard();
  await assert.rejects(new Laurel(proxy.url).score(board, "ada", 1), error => {
    assert.ok(error instanceof LaurelError);
    assert.equal(error.status, 401);
    assert.equal(error.code, "UNAUTHENTICATED");
    return true;
  });
  assert.equal(proxy.requests.length, 1);
  await assert.rejects(admin.score(board, "ada", -1), { code: "SCORE_OUT_OF_BOUNDS" });
});

test("call: names with odd characters reach the server as they are", async t => {
  const board = await newBoard();
  const user = "ä/b c?d&e#f";
  await admin.score(board, user, 7);
  assert.equal((await admin.rank(board, user)).userId, user);
});
