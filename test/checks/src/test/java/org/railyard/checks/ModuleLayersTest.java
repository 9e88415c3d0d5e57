package org.railyard.checks;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.railyard.o2iblnd.tune.EffectiveTunables;
import org.railyard.o2iblnd.tune.O2ibTunable;
import org.railyard.testkit.Requirement;

/** Rule 6 and the layers: dependencies only point down, and a transport sees of the stack only its contract. */
final class ModuleLayersTest {
    private static final JavaClasses PRODUCT = ProductClasses.all();

    /** Modules from the ground up; a module may depend on those before it, where its module descriptor lets it. */
    private static final List<String> LAYERS = List.of(
            "org.railyard.base",
            "org.railyard.verbs",
            "org.railyard.host",
            "org.railyard.lnet",
            "org.railyard.fabric",
            "org.railyard.mad",
            "org.railyard.sm",
            "org.railyard.softverbs",
            "org.railyard.roce",
            "org.railyard.ibverbs",
            "org.railyard.o2iblnd",
            "org.railyard.socklnd",
            "org.railyard.decode",
            "org.railyard.selftest",
            "org.railyard.config",
            "org.railyard.doctor",
            "org.railyard.control",
            "org.railyard.node",
            "org.railyard.lab",
            "org.railyard.campaign",
            "org.railyard.console",
            "org.railyard.cli",
            "org.railyard.bench");

    /** Transports. Each stands alone on the contract. */
    private static final List<String> TRANSPORTS = List.of("org.railyard.socklnd", "org.railyard.o2iblnd");

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(PRODUCT);
    }

    @Test
    void everyPackageBelongsToALayer() {
        assertThat(PRODUCT.stream().map(JavaClass::getPackageName).distinct())
                .allMatch(name -> name.isEmpty()
                        || LAYERS.stream().anyMatch(layer -> name.equals(layer) || name.startsWith(layer + ".")));
    }

    @Test
    void arrowsOnlyPointDown() {
        for (int i = 0; i < LAYERS.size(); i++) {
            for (String above : LAYERS.subList(i + 1, LAYERS.size())) {
                check(noClasses()
                        .that()
                        .resideInAPackage(LAYERS.get(i) + "..")
                        .should()
                        .dependOnClassesThat()
                        .resideInAPackage(above + ".."));
            }
        }
    }

    @Test
    void aTransportSeesOnlyItsContract() {
        DescribedPredicate<JavaClass> stack = resideInAPackage("org.railyard.lnet..");
        DescribedPredicate<JavaClass> contract =
                resideInAnyPackage("org.railyard.lnet.nid", "org.railyard.lnet.wire", "org.railyard.lnet.lnd");
        for (String transport : TRANSPORTS) {
            check(noClasses()
                    .that()
                    .resideInAPackage(transport + "..")
                    .should()
                    .dependOnClassesThat(stack.and(DescribedPredicate.not(contract))));
        }
    }

    @Test
    void aTransportNeedsNoHostOfItsOwn() {
        for (String transport : TRANSPORTS) {
            check(noClasses()
                    .that()
                    .resideInAPackage(transport + "..")
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("org.railyard.host.."));
        }
    }

    @Test
    void verbsStandOnNothing() {
        check(noClasses()
                .that()
                .resideInAPackage("org.railyard.verbs..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.railyard..")
                        .and(DescribedPredicate.not(resideInAPackage("org.railyard.verbs..")))));
        check(noClasses()
                .that()
                .resideInAPackage("org.railyard.softverbs..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.railyard.lnet..", "org.railyard.host.."));
    }

    @Test
    void verbsOverUdpKnowNothingOfLnet() {
        check(noClasses()
                .that()
                .resideInAPackage("org.railyard.roce..")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("org.railyard.lnet.."));
    }

    @Test
    void theInfiniBandTransportKnowsNoProvider() {
        check(noClasses()
                .that()
                .resideInAPackage("org.railyard.o2iblnd..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.railyard.softverbs..", "org.railyard.roce..", "org.railyard.fabric.."));
    }

    /** The value is accepted and told, and nothing is decided by it. */
    @Test
    @Requirement("mod-031")
    void noTransferDependsOnMapOnDemand() {
        check(noClasses()
                .that()
                .resideInAPackage("org.railyard.o2iblnd..")
                .and()
                .resideOutsideOfPackage("org.railyard.o2iblnd.tune..")
                .should()
                .accessField(O2ibTunable.class, "MAP_ON_DEMAND")
                .orShould()
                .callMethod(EffectiveTunables.class, "mapOnDemand"));
    }

    @Test
    void theContractKnowsNothingOfTheStackAboveIt() {
        check(noClasses()
                .that()
                .resideInAnyPackage("org.railyard.lnet.nid..", "org.railyard.lnet.wire..", "org.railyard.lnet.lnd..")
                .should()
                .dependOnClassesThat(resideInAPackage("org.railyard.lnet..")
                        .and(DescribedPredicate.not(resideInAnyPackage(
                                "org.railyard.lnet.nid..", "org.railyard.lnet.wire..", "org.railyard.lnet.lnd..")))));
    }

    @Test
    void noPackagesDependOnEachOtherInACycle() {
        slices().assignedFrom(new EachPackage()).should().beFreeOfCycles().check(PRODUCT);
    }

    /** Each package is a slice of its own. */
    private static final class EachPackage implements SliceAssignment {
        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            return type.getPackageName().startsWith("org.railyard.")
                    ? SliceIdentifier.of(type.getPackageName())
                    : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    }
}
