package dev.laurel.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Test;

class KafkaDeadLettersTest {
  @Test
  void unavailable_whateverIsAroundTheCause_namesNoClass() {
    TimeoutException cause = new TimeoutException("Timed out waiting for a node assignment.");
    for (KafkaException failure :
        new KafkaException[] {
          cause,
          new KafkaException(cause),
          new KafkaException(new ExecutionException(cause)),
          new KafkaException(cause.toString())
        }) {
      assertThat(KafkaDeadLetters.unavailable(failure).rejection().message())
          .isEqualTo("Kafka does not answer: Timed out waiting for a node assignment.");
    }
    assertThat(KafkaDeadLetters.inWords(new KafkaException())).isEqualTo("no reason was given");
  }
}
