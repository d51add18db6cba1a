package dev.laurel.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code laurel stack} as processes, used as its users do. */
class MainTest {
  private static final Pattern EXPORT = Pattern.compile("export (LAUREL_[A-Z_]+)='([^']*)'");

  @TempDir Path folder = Path.of("");

  /** What a command said: to the shell, and to people. */
  private record Said(int code, String out, String err) {
    Map<String, String> environment() {
      assertThat(out.lines()).as(err).allMatch(line -> EXPORT.matcher(line).matches());
      return EXPORT
          .matcher(out)
          .results()
          .collect(Collectors.toMap(found -> found.group(1), found -> found.group(2)));
    }
  }

  private Said stack(String... words) throws Exception {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                Main.class.getName(),
                folder.resolve("home").toString()));
    command.addAll(List.of(words));
    Path err = folder.resolve("err");
    Process process = new ProcessBuilder(command).redirectError(err.toFile()).start();
    // Ends only if nobody in the background holds on to it: eval "$(laurel stack up)" returns.
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(4, TimeUnit.MINUTES)).isTrue();
    return new Said(process.exitValue(), out, Files.readString(err));
  }

  @AfterEach
  void down() throws Exception {
    stack("down");
  }

  private static String get(Map<String, String> environment, String name) {
    return Objects.requireNonNull(environment.get(name), name);
  }

  private static int port(String address) {
    Matcher port = Pattern.compile("127\\.0\\.0\\.1:(\\d+)").matcher(address);
    assertThat(port.find()).as(address).isTrue();
    return Integer.parseInt(port.group(1));
  }

  private static String select(Map<String, String> environment, String sql) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(get(environment, "LAUREL_DATABASE_URL"));
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      var rows = statement.getResultSet();
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }

  private static Admin kafka(Map<String, String> environment) {
    return Admin.create(Map.of("bootstrap.servers", get(environment, "LAUREL_KAFKA_BOOTSTRAP")));
  }

  @Test
  void up_serversAreUsedAndStopped_portsAreClosedAndNothingIsLeft() throws Exception {
    Said up = stack("up");
    assertThat(up.code()).as(up.err()).isZero();
    Map<String, String> environment = up.environment();
    assertThat(environment)
        .containsOnlyKeys("LAUREL_DATABASE_URL", "LAUREL_REDIS_URL", "LAUREL_KAFKA_BOOTSTRAP");
    assertThat(select(environment, "SELECT 6 * 7")).isEqualTo("42");
    int redis = port(get(environment, "LAUREL_REDIS_URL"));
    assertThat(RedisProtocol.call(redis, "PING")).isEqualTo("PONG");
    try (Admin admin = kafka(environment)) {
      assertThat(admin.describeCluster().nodes().get()).hasSize(1);
    }

    Said again = stack("up");
    assertThat(again.err()).contains("up already");
    assertThat(again.environment()).isEqualTo(environment);
    assertThat(stack("status").code()).isZero();

    kill("Redis");
    Said status = stack("status");
    assertThat(status.code()).isEqualTo(1);
    assertThat(status.err()).containsPattern("dead +Redis").containsPattern("up +Kafka");

    Said down = stack("down");
    assertThat(down.code()).as(down.err()).isZero();
    for (String address : environment.values()) {
      assertThat(isOpen(port(address))).as(address).isFalse();
    }
    assertThat(folder.resolve("home").resolve("scratch")).doesNotExist();
    assertThat(stack("status").err()).contains("Nothing is up");
  }

  @Test
  void up_withAFolderAndACluster_findsItsDataAgainAlsoAfterASupervisorThatWasKilled()
      throws Exception {
    String data = folder.resolve("data").toString();
    Map<String, String> first = stack("up", "--cluster", "--data", data).environment();
    int master = port(get(first, "LAUREL_REDIS_URL"));
    assertThat(RedisProtocol.call(master, "CLUSTER", "INFO")).contains("cluster_size:3");
    select(first, "CREATE TABLE kept AS SELECT 7 AS number");
    try (Admin admin = kafka(first)) {
      admin.createTopics(List.of(new NewTopic("kept", 1, (short) 1))).all().get();
    }
    kill("supervisor");
    assertThat(stack("status").err()).containsPattern("dead +supervisor");

    Map<String, String> second = stack("up", "--data", data).environment();
    for (String address : first.values()) {
      assertThat(isOpen(port(address))).as(address).isFalse();
    }
    assertThat(select(second, "SELECT number FROM kept")).isEqualTo("7");
    try (Admin admin = kafka(second)) {
      assertThat(admin.listTopics().names().get()).contains("kept");
    }
  }

  private void kill(String name) {
    StackState state = StackState.read(folder.resolve("home").resolve("state"));
    List<StackState.Member> all = new ArrayList<>(Objects.requireNonNull(state).members());
    all.add(state.supervisor());
    for (StackState.Member member : all) {
      if (member.name().equals(name)) {
        ProcessHandle process = Objects.requireNonNull(member.process());
        process.destroyForcibly();
        process.onExit().join();
      }
    }
  }

  private static boolean isOpen(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void words_thatAreNone_areNamed() throws Exception {
    Said verb = stack("sideways");
    assertThat(verb.code()).isEqualTo(2);
    assertThat(verb.err())
        .startsWith("laurel stack: verb: sideways (expected: up, down or status)");
    Said option = stack("up", "--clutter");
    assertThat(option.code()).isEqualTo(2);
    assertThat(option.err()).startsWith("laurel stack: option: --clutter (expected: ");
    assertThat(stack("down", "--cluster").err()).startsWith("laurel stack: option: --cluster");
  }
}
