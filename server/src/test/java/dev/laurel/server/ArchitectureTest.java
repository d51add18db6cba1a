package dev.laurel.server;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

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
          .resideInAnyPackage("dev.laurel.core..", "java..", "org.jspecify.annotations..");

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
          .resideInAnyPackage("dev.laurel.sql..", "dev.laurel.cron..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.laurel.server..", "dev.laurel.testkit..");

  @ArchTest
  static final ArchRule adapters_doNotKnowEachOther =
      slices().matching("dev.laurel.(sql|cron)..").should().notDependOnEachOther();

  @ArchTest
  static final ArchRule cronUtils_isKnownToItsAdapterOnly =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.laurel.cron..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("com.cronutils..");

  @ArchTest
  static final ArchRule adapters_areNamedInTheWiringOnly =
      noClasses()
          .that()
          .resideInAPackage("dev.laurel.server..")
          .and()
          .doNotHaveFullyQualifiedName("dev.laurel.server.Laurel")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.laurel.sql..", "dev.laurel.cron..");

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
