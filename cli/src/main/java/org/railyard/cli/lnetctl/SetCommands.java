package org.railyard.cli.lnetctl;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.railyard.base.tune.TunableSpec;
import org.railyard.control.GlobalOperation;
import org.railyard.control.LenientSetting;
import org.railyard.lnet.api.Tunable;

/** {@code set}: tunables of the node (spec 12 §2.5). */
final class SetCommands {
    /** Settings that all nodes have, in the order in which they are listed. */
    private static final List<String> COMMON = List.of(
            "tiny_buffers",
            "small_buffers",
            "large_buffers",
            "routing",
            "numa_range",
            "max_interfaces",
            "discovery",
            "drop_asym_route",
            "retry_count",
            "transaction_timeout",
            "health_sensitivity",
            "recovery_interval",
            "router_sensitivity",
            "response_tracking",
            "recovery_limit",
            "max_recovery_ping_interval");

    private SetCommands() {}

    static LnetctlGroup group() {
        return new LnetctlGroup(
                "set",
                "tunables of this node; 'lnetctl set --help' lists them",
                Stream.concat(
                                COMMON.stream(),
                                Arrays.stream(Tunable.values())
                                        .map(Tunable::text)
                                        .filter(name -> !COMMON.contains(name)))
                        .map(SetCommands::command)
                        .toList());
    }

    private static Command command(String name) {
        TunableSpec spec = switch (name) {
            case "routing" -> TunableSpec.onOff(name, 0, "forward messages of others");
            case "router_sensitivity" -> Tunable.ROUTER_SENSITIVITY_PERCENTAGE.spec();
            default -> Tunable.find(name).orElseThrow().spec();
        };
        return new Command("set", name, "VALUE", help(name, spec), List.of(), (line, session) -> {
            if (line.words().isEmpty()) {
                return session.complain(
                        Exit.FAILED, "set " + name + ": the value is missing; expected " + spec.expected());
            }
            return session.classic(new GlobalOperation.Set(name, line.words().getFirst()));
        });
    }

    /** What Lustre's tool takes beyond the range is told, too. */
    private static String help(String name, TunableSpec spec) {
        return spec.summary()
                + Tunable.find(name)
                        .flatMap(LenientSetting::of)
                        .map(lenient -> "; " + lenient.text())
                        .orElse("");
    }
}
