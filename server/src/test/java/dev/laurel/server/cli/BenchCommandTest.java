package dev.laurel.server.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.laurel.server.bench.BenchOptions;
import dev.laurel.server.bench.LaneSpec;
import dev.laurel.server.bench.Operation;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class BenchCommandTest {
  private static BenchOptions parse(String... args) {
    BenchCommand command = new BenchCommand(Map.of("LAUREL_ADMIN_KEY", "secret"), Path.of("here"));
    new CommandLine(command).parseArgs(args);
    return command.options();
  }

  @Test
  void options_none_areReadsAsFastAsPossibleOnAMillionUsers() {
    BenchOptions options = parse();
    assertThat(options.lanes())
        .containsExactly(new LaneSpec(64, false, Map.of(Operation.RANK, 1.0)));
    assertThat(options.users()).isEqualTo(1_000_000);
    assertThat(options.duration()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options.warmup()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.url()).isNull();
    assertThat(options.key()).isEqualTo("secret");
    assertThat(options.board()).startsWith("bench-");
  }

  @Test
  void options_mixAndRate_sharesTheRate() {
    assertThat(parse("--mix", "rank=90,put=10", "--rate", "20000").lanes())
        .containsExactly(
            new LaneSpec(64, true, Map.of(Operation.RANK, 18_000.0, Operation.PUT, 2000.0)));
  }

  @Test
  void options_ratesOfTheirOwn_shareTheConnections() {
    assertThat(parse("--rate", "rank=10000,put=5000", "--connections", "32").lanes())
        .containsExactly(
            new LaneSpec(32, true, Map.of(Operation.RANK, 10_000.0, Operation.PUT, 5000.0)));
  }

  @Test
  void options_connectionsOfTheirOwn_aRateIsOpenAndNoneIsClosed() {
    assertThat(parse("--rate", "put=5000", "--connections", "rank=64,put=32").lanes())
        .containsExactly(
            new LaneSpec(64, false, Map.of(Operation.RANK, 1.0)),
            new LaneSpec(32, true, Map.of(Operation.PUT, 5000.0)));
  }

  @Test
  void options_preset_isItsMix() {
    assertThat(parse("--mix", "game").lanes().getFirst().amounts())
        .containsOnlyKeys(Operation.RANK, Operation.AROUND, Operation.TOP, Operation.PUT);
  }

  @Test
  void options_durations_haveUnits() {
    BenchOptions options = parse("--duration", "1.5m", "--warmup", "250ms");
    assertThat(options.duration()).isEqualTo(Duration.ofSeconds(90));
    assertThat(options.warmup()).isEqualTo(Duration.ofMillis(250));
  }

  @Test
  void options_key_isNotInTheReport() {
    assertThat(parse("--url", "http://x:1", "--key", "very-secret").command())
        .isEqualTo("laurel bench --url http://x:1 --key …");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --mix=rank=90,write=10     | --mix: write=10 (expected: OPERATION=NUMBER, with one of rank
          --mix=fast                 | --mix: fast (expected: OPERATION=NUMBER
          --mix=rank=1,rank=2        | --mix: rank=1,rank=2 (expected: rank once)
          --rate=0                   | --rate: 0 (expected: a number above 0)
          --rate=rank=x              | --rate: x (expected: a number above 0)
          --connections=0            | --connections: 0 (expected: a number above 0)
          --connections=1.5          | --connections: 1.5 (expected: 1..65000)
          --duration=10h             | --duration: 10h (expected: a time such as 500ms, 10s or 2m)
          --duration=0s              | --duration: 0s (expected: above 0)
          --batch=1001               | --batch: 1001 (expected: 1..1000)
          --decimals=10              | --decimals: 10 (expected: 0..9)
          --users=0                  | --users: 0 (expected: 1..100000000)
          --distribution=normal      | --distribution: normal (expected: uniform or zipf)
          --board=a/b                | --board: a/b (expected: 1..128 of
          --reuse                    | --reuse: alone (expected: with --board)
          """)
  void options_wrong_saysWhatWasExpected(String option, String message) {
    assertThatThrownBy(() -> parse(option))
        .isInstanceOf(CommandLine.ParameterException.class)
        .hasMessageContaining(message);
  }

  @Test
  void help_bench_namesEveryOptionAndOperation() {
    StringWriter out = new StringWriter();
    CommandLine root =
        CommandTree.build(Map.of(), Path.of(""), new PrintWriter(out), new PrintWriter(out));
    assertThat(root.execute("help", "bench")).isZero();
    for (CommandLine.Model.OptionSpec option :
        Objects.requireNonNull(root.getSubcommands().get("bench")).getCommandSpec().options()) {
      assertThat(out.toString()).contains(option.longestName());
    }
    for (Operation operation : Operation.values()) {
      assertThat(out.toString()).contains(operation.label());
    }
  }
}
