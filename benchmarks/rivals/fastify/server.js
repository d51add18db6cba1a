// The thin service that users write: one route table in front of a Redis sorted set. Written as well as one can:
// ioredis joins the commands of one turn of the event loop into one write (auto-pipelining), answers are
// serialized by compiled schemas, the logger is off, and there is one process a worker.
//
//   node server.js --port 8081 --redis-port 6379 --board bench --key secret --workers 2
import cluster from 'node:cluster';
import { parseArgs } from 'node:util';
import Fastify from 'fastify';
import { Redis } from 'ioredis';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '8081' },
    'redis-port': { type: 'string', default: '6379' },
    board: { type: 'string', default: 'bench' },
    key: { type: 'string' },
    workers: { type: 'string', default: '1' },
  },
});

const workers = Number(options.workers);
if (workers > 1 && cluster.isPrimary) {
  let listening = 0;
  cluster.on('listening', () => {
    if (++listening === workers) {
      console.log('ready');
    }
  });
  cluster.on('exit', (worker) => {
    console.error(`worker ${worker.process.pid} ended`);
    process.exit(1);
  });
  for (let i = 0; i < workers; i++) {
    cluster.fork();
  }
} else {
  await serve();
  if (workers <= 1) {
    console.log('ready');
  }
}

async function serve() {
  const redis = new Redis({ host: '127.0.0.1', port: Number(options['redis-port']), enableAutoPipelining: true });
  const keys = new Map([[options.key, { name: 'bench' }]]);
  const app = Fastify({ logger: false });

  app.addHook('onRequest', (request, reply, done) => {
    request.caller = keys.get(request.headers['x-api-key']);
    if (request.caller === undefined) {
      reply.code(401).send({ error: 'X-API-Key: not a key in force' });
      return;
    }
    done();
  });
  app.decorateRequest('caller', undefined);

  const row = {
    type: 'object',
    properties: {
      UUID: { type: 'string' },
      userId: { type: 'string' },
      rank: { type: 'integer' },
      score: { type: 'number' },
    },
  };
  const params = { type: 'object', properties: { board: { type: 'string' }, user: { type: 'string' } } };

  app.get(
    '/api/v1/leaderboards/:board/users/:user/rank',
    { schema: { params, response: { 200: row } } },
    async (request, reply) => {
      const { board, user } = request.params;
      const [rank, score] = await Promise.all([redis.zrevrank(board, user), redis.zscore(board, user)]);
      if (rank === null || score === null) {
        reply.code(404);
        return { error: 'userId: not on the board' };
      }
      return { UUID: board, userId: user, rank: rank + 1, score: Number(score) };
    },
  );

  app.put(
    '/api/v1/leaderboards/:board/users/:user',
    {
      schema: {
        params,
        body: { type: 'object', required: ['score'], properties: { score: { type: 'number' } } },
        response: { 200: row },
      },
    },
    async (request) => {
      const { board, user } = request.params;
      const { score } = request.body;
      // One connection answers in order: the rank is the one after the write, as in Laurel's answer.
      const [, rank] = await Promise.all([redis.zadd(board, score, user), redis.zrevrank(board, user)]);
      return { UUID: board, userId: user, rank: rank + 1, score };
    },
  );

  app.get(
    '/api/v1/leaderboards/:board/top',
    {
      schema: {
        querystring: {
          type: 'object',
          properties: { limit: { type: 'integer', minimum: 1, maximum: 1000, default: 10 } },
        },
        response: { 200: { type: 'object', properties: { entries: { type: 'array', items: row } } } },
      },
    },
    async (request) => {
      const found = await redis.zrevrange(request.params.board, 0, request.query.limit - 1, 'WITHSCORES');
      const entries = [];
      for (let i = 0; i < found.length; i += 2) {
        entries.push({ userId: found[i], rank: i / 2 + 1, score: Number(found[i + 1]) });
      }
      return { entries };
    },
  );

  await app.listen({ host: '127.0.0.1', port: Number(options.port) });
}
