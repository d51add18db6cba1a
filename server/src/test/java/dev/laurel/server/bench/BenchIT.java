package dev.laurel.server.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code laurel bench} as a process that starts another. */
class BenchIT {
  private static final Path JAR = Path.of(System.getProperty("laurel.jar", "target/laurel.jar"));

  @TempDir Path folder = Path.of("");

  @Test
  void bench_withoutUrl_startsAServerAndRemovesIt() throws IOException, InterruptedException {
    Path tmp = Files.createDirectory(folder.resolve("tmp"));
    Path log = folder.resolve("log");
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Djava.io.tmpdir=" + tmp,
                "-jar",
                JAR.toAbsolutePath().toString(),
                "bench",
                "--users=2000",
                "--warmup=0s",
                "--duration=500ms",
                "--connections=4",
                "--report=r.html")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).isTrue();
    } finally {
      process.destroy();
    }
    assertThat(process.exitValue()).as(Files.readString(log)).isZero();
    assertThat(Files.readString(log)).contains("loaded 2,000 users", "rank", "closed");
    assertThat(folder.resolve("r.html")).exists();
    try (Stream<Path> left = Files.list(tmp)) {
      assertThat(left.filter(p -> p.getFileName().toString().startsWith("laurel-bench"))).isEmpty();
    }
  }
}
