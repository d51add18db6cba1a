package dev.laurel.server;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Who may know whom: the folders show the architecture, and this keeps it true. */
@AnalyzeClasses(packages = "dev.laurel", importOptions = DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule core_needsOnlyTheJdk =
      classes()
          .that()
          .resideInAPackage("dev.laurel.core..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.laurel.core..", "java..", "javax.crypto..", "org.jspecify.annotations..");

  @ArchTest
  static final ArchRule model_knowsNothingElse =
      classes()
          .that()
          .resideInAPackage("dev.laurel.core.model..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("dev.laurel.core.model..", "java..", "org.jspecify.annotations..");

  @ArchTest
  static final ArchRule core_hasNoCycles =
      slices().matching("dev.laurel.core.(*)..").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule adapters_knowOnlyTheCore =
      noClasses()
          .that()
          .resideInAnyPackage(
              "dev.laurel.sql..",
              "dev.laurel.cron..",
              "dev.laurel.spel..",
              "dev.laurel.archive..",
              "dev.laurel.redis..",
              "dev.laurel.kafka..",
              "dev.laurel.jwt..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.laurel.server..", "dev.laurel.testkit..");

  @ArchTest
  static final ArchRule adapters_doNotKnowEachOther =
      slices()
          .matching("dev.laurel.(sql|cron|spel|archive|redis|kafka|jwt)..")
          .should()
          .notDependOnEachOther();

  @ArchTest
  static final ArchRule cronUtils_isKnownToItsAdapterOnly =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.laurel.cron..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.cronutils..");

  @ArchTest
  static final ArchRule lettuce_isKnownToItsAdapterOnly =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.laurel.redis..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.lettuce..");

  @ArchTest
  static final ArchRule expressions_areParsedBySpringAndNeverEvaluatedByIt =
      classes()
          .that()
          .resideInAPackage("dev.laurel.spel..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "dev.laurel.spel..",
                      "dev.laurel.core..",
                      "java.lang",
                      "java.lang.invoke",
                      "java.lang.runtime",
                      "java.math",
                      "java.util..",
                      "org.jspecify.annotations..",
                      "org.springframework.expression.spel.ast..")
                  .or(type(SpelNode.class))
                  .or(type(SpelExpression.class))
                  .or(type(SpelExpressionParser.class))
                  .or(type(ParseException.class)));

  @ArchTest
  static final ArchRule expressions_askSpringForNoValue =
      noClasses()
          .that()
          .resideInAPackage("dev.laurel.spel..")
          .should()
          .callMethodWhere(
              target(owner(resideInAPackage("org.springframework..")))
                  .and(target(nameMatching(".*Value(Internal|Ref|Type.*)?|.*Writable.*|compile.*")))
                  .and(not(target(nameMatching("getOriginalValue")))));

  @ArchTest
  static final ArchRule adapters_areNamedInTheWiringOnly =
      noClasses()
          .that()
          .resideInAPackage("dev.laurel.server..")
          .and()
          .haveNameNotMatching("dev\\.laurel\\.server\\.(Laurel|FromSettings)(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.laurel.sql..",
              "dev.laurel.cron..",
              "dev.laurel.spel..",
              "dev.laurel.archive..",
              "dev.laurel.redis..",
              "dev.laurel.kafka..",
              "dev.laurel.jwt..");

  @ArchTest
  static final ArchRule http_knowsNoSurface =
      noClasses()
          .that()
          .resideInAPackage("dev.laurel.server.http..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.laurel.server.api..", "dev.laurel.server.cli..");

  @ArchTest
  static final ArchRule surfaces_leaveTheStoreToTheCore =
      noClasses()
          .that()
          .resideInAPackage("dev.laurel.server.api..")
          .should()
          .dependOnClassesThat()
          .haveFullyQualifiedName("dev.laurel.core.store.WriteTransaction");
}
