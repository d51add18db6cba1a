package dev.laurel.testkit;

import java.util.Random;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives a test method its {@link Random}: different in every run, and named if the test fails. To
 * replay, {@code -Dlaurel.seed=<the seed>}.
 */
public final class Seeds implements ParameterResolver, TestExecutionExceptionHandler {
  private static final String PROPERTY = "laurel.seed";
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(Seeds.class);

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext test) {
    return parameter.getParameter().getType() == Random.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext test) {
    Long given = Long.getLong(PROPERTY);
    long seed = given != null ? given : new Random().nextLong();
    test.getStore(NAMESPACE).put(PROPERTY, seed);
    return new Random(seed);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext test, Throwable failure)
      throws Throwable {
    Long seed = test.getStore(NAMESPACE).get(PROPERTY, Long.class);
    if (seed != null) {
      String replay = test.getDisplayName() + " failed with -D" + PROPERTY + "=" + seed;
      System.err.println(replay);
      failure.addSuppressed(new RuntimeException(replay, null, false, false) {});
    }
    throw failure;
  }
}
