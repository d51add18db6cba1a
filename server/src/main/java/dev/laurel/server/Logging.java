package dev.laurel.server;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.laurel.server.settings.LogLevel;
import net.logstash.logback.encoder.LogstashEncoder;
import org.slf4j.LoggerFactory;

/**
 * JSON lines on stderr. Logback finds this class as a service, so no XML is parsed at start.
 *
 * <p>Lines go through a queue that drops rather than waits: a full pipe behind stderr must not stop
 * the event loops.
 */
public final class Logging extends ContextAwareBase implements Configurator {
  private static final int QUEUE = 8192;
  private static final int STOP_MILLIS = 2000;

  /** Before anything of Vert.x is loaded: it would find java.util.logging first. */
  public static void prepare() {
    System.setProperty(
        "vertx.logger-delegate-factory-class-name",
        "io.vertx.core.logging.SLF4JLogDelegateFactory");
    LoggerFactory.getLogger(Logging.class);
  }

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    LogstashEncoder encoder = new LogstashEncoder();
    encoder.setContext(context);
    encoder.setIncludeContext(false);
    encoder.getFieldNames().setLevelValue("[ignore]");
    encoder.getFieldNames().setVersion("[ignore]");
    encoder.start();
    preload(encoder, context);

    ConsoleAppender<ILoggingEvent> stderr = new ConsoleAppender<>();
    stderr.setContext(context);
    stderr.setName("stderr");
    stderr.setTarget("System.err");
    stderr.setEncoder(encoder);
    stderr.start();

    AsyncAppender queue = new AsyncAppender();
    queue.setContext(context);
    queue.setName("queue");
    queue.setQueueSize(QUEUE);
    queue.setNeverBlock(true);
    queue.setMaxFlushTime(STOP_MILLIS);
    queue.addAppender(stderr);
    queue.start();

    Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    root.setLevel(Level.INFO);
    root.addAppender(queue);
    // Both report every broken connection as if it were ours to mend.
    context.getLogger("io.netty").setLevel(Level.WARN);
    context.getLogger("io.vertx").setLevel(Level.WARN);
    // A dozen lines about a first start that went well.
    context.getLogger("org.flywaydb").setLevel(Level.WARN);
    // All of its settings, for each client.
    context.getLogger("org.apache.kafka").setLevel(Level.WARN);
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  /**
   * Encodes a line with a stack trace once, so that everything it needs is loaded: when file
   * descriptors run out, the line that says so must not need one.
   */
  private static void preload(LogstashEncoder encoder, LoggerContext context) {
    LoggingEvent event =
        new LoggingEvent(
            Logging.class.getName(),
            context.getLogger(Logging.class),
            Level.ERROR,
            "preload {}",
            new IllegalStateException("preload", new java.io.IOException("preload")),
            new Object[] {"x"});
    encoder.encode(event);
  }

  public static void level(LogLevel level) {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.valueOf(level.name()));
    }
  }

  /** Writes what is queued. */
  public static void stop() {
    if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
      context.stop();
    }
  }
}
