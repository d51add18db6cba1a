package dev.laurel.server.bench;

import dev.laurel.server.client.ClientTls;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What to run.
 *
 * @param url of a running server; null to start one
 * @param key of a running server
 * @param reuse the board is there with its users; nothing is loaded and nothing ended
 * @param keep a board that was made stays open
 * @param pipeline requests that may be under way on one connection
 * @param batch users in a request of ranks or scores
 * @param windows schedules of the board's windows, which are named after them
 * @param terminal whether stderr is one
 * @param command as it was given, for the report
 */
public record BenchOptions(
    @Nullable String url,
    @Nullable String key,
    ClientTls tls,
    String board,
    boolean reuse,
    boolean keep,
    List<LaneSpec> lanes,
    int threads,
    int pipeline,
    Duration warmup,
    Duration duration,
    int users,
    boolean zipf,
    double zipfExponent,
    int batch,
    int decimals,
    List<String> windows,
    long seed,
    @Nullable Path report,
    @Nullable Path json,
    boolean terminal,
    String command) {}
