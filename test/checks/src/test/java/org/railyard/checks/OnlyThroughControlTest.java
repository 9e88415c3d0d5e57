package org.railyard.checks;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.railyard.lnet.FaultInjection;
import org.railyard.lnet.Inventory;
import org.railyard.lnet.LNet;
import org.railyard.lnet.api.Bonds;
import org.railyard.lnet.api.PeerConfiguration;
import org.railyard.lnet.api.RouterControl;
import org.railyard.lnet.api.Routes;
import org.railyard.lnet.api.Selection;
import org.railyard.testkit.Requirement;

/**
 * A node that runs as a service is configured through the operations of {@code control} and in no other way: neither
 * the daemon nor the tool reaches what changes a node.
 */
final class OnlyThroughControlTest {
    private static final JavaClasses PRODUCT = ProductClasses.all();

    /**
     * What only looks, asks the network, hands out one of these, or belongs to applications; all else changes the
     * configuration.
     */
    private static final Map<Class<?>, Set<String>> LOOKS = Map.of(
            LNet.class,
                    Set.of(
                            "settings",
                            "bind",
                            "attach",
                            "setLazyPortal",
                            "clearLazyPortal",
                            "put",
                            "get",
                            "ping",
                            "discover",
                            "nids",
                            "nis",
                            "peers",
                            "knownPrimaryNid",
                            "primaryNid",
                            "peerDiscovered",
                            "peerConfiguration",
                            "registerNidUpdates",
                            "unregisterNidUpdates",
                            "inventory",
                            "faults",
                            "statistics",
                            "dropCount",
                            "localRecovery",
                            "peerRecovery",
                            "messagesInUse",
                            "distance",
                            "explain",
                            "routing",
                            "routes",
                            "selection",
                            "bonds"),
            Inventory.class,
                    Set.of(
                            "nis",
                            "ni",
                            "tuning",
                            "peers",
                            "peer",
                            "trafficOf",
                            "heat",
                            "txRate",
                            "monotonicNanos",
                            "statistics"),
            PeerConfiguration.class, Set.of(),
            Bonds.class, Set.of("list", "find"),
            Routes.class, Set.of("list", "gateways", "checked"),
            RouterControl.class, Set.of("state", "buffers"),
            Selection.class, Set.of("udsp", "udspInfo", "cptOf", "explain"),
            FaultInjection.class, Set.of("rules"));

    private static Set<String> methods(Class<?> type) {
        Set<String> names = new TreeSet<>();
        Arrays.stream(type.getDeclaredMethods())
                .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .map(Method::getName)
                .forEach(names::add);
        return names;
    }

    /** Whatever is new counts as a change until somebody says here that it is none. */
    @Test
    void theListOfWhatOnlyLooksHasNothingThatIsNotThere() {
        LOOKS.forEach(
                (type, looks) -> assertThat(methods(type)).as(type.getName()).containsAll(looks));
        assertThat(methods(LNet.class)).contains("addNi", "removeNi", "set", "start", "close");
    }

    private static boolean changes(JavaMethodCall call) {
        return LOOKS.entrySet().stream()
                .anyMatch(each -> call.getTargetOwner().isEquivalentTo(each.getKey())
                        && !each.getValue().contains(call.getName()));
    }

    @Test
    @Requirement("cfg-005")
    void theDaemonAndTheToolChangeANodeOnlyThroughControl() {
        for (String place : List.of("org.railyard.node..", "org.railyard.cli.lnetctl..", "org.railyard.cli.lnetd..")) {
            noClasses()
                    .that()
                    .resideInAPackage(place)
                    .should()
                    .callMethodWhere(describe("it changes a node", OnlyThroughControlTest::changes))
                    .check(PRODUCT);
        }
    }
}
