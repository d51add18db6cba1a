/**
 * A rank index that nodes share, in Redis or Valkey. Start with {@link
 * dev.laurel.redis.RedisRankIndex}; what happens inside Redis is in {@code laurel.lua}.
 */
@NullMarked
package dev.laurel.redis;

import org.jspecify.annotations.NullMarked;
