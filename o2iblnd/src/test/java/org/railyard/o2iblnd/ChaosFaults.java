package org.railyard.o2iblnd;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.railyard.softverbs.card.SoftDevice;
import org.railyard.softverbs.net.FabricFaultRule;
import org.railyard.softverbs.net.TrafficKind;

/** What goes wrong outside of the transports of a {@link ChaosRun}: links, cards, paths, processes that stand still. */
final class ChaosFaults {
    private static final List<TrafficKind> KINDS = List.of(TrafficKind.values());
    private static final List<FabricFaultRule.Action> ACTIONS =
            List.of(FabricFaultRule.Action.DROP, FabricFaultRule.Action.DELAY, FabricFaultRule.Action.DUPLICATE);

    private final IbWorld world;
    private final SplittableRandom random;
    private final List<FabricFaultRule> rules = new ArrayList<>();
    private final boolean[] frozen = new boolean[IbWorld.MACHINES];

    ChaosFaults(IbWorld world, SplittableRandom random) {
        this.world = world;
        this.random = random;
    }

    boolean isFrozen(int machine) {
        return frozen[machine];
    }

    /** Lets something go wrong, or well again, at a machine or on the way to another one; returns what. */
    String next(int machine, int other) {
        int rail = random.nextInt(IbWorld.RAILS);
        SoftDevice card = world.device(machine, rail);
        return switch (random.nextInt(13)) {
            case 0 -> link(machine, rail, false);
            case 1, 2 -> link(machine, rail, true);
            case 3 -> {
                card.fail();
                yield card + " fails";
            }
            case 4 -> {
                card.repair();
                yield card + " works";
            }
            case 5 -> {
                boolean halted = random.nextBoolean();
                card.haltSends(halted);
                yield card + " sends: " + !halted;
            }
            case 6 -> {
                long delay = random.nextInt(3) == 0 ? 0 : random.nextLong(IbWorld.SECOND / 10);
                card.delayCompletions(delay);
                yield card + " delays completions by " + delay + " ns";
            }
            case 7 -> {
                card.failNextQps(random.nextInt(4));
                card.failNextCqs(random.nextInt(2));
                card.failNextRegistrations(random.nextInt(5));
                yield card + " has no memory";
            }
            case 8 -> {
                world.fabric()
                        .breakConnections(world.port(machine, rail), world.port(other, random.nextInt(IbWorld.RAILS)));
                yield "connections of " + card + " with " + other + " break";
            }
            case 9, 10 -> addRule(machine, rail, other);
            case 11 -> removeRule();
            default -> freeze(machine);
        };
    }

    private String link(int machine, int rail, boolean up) {
        world.fabric().setLink(world.port(machine, rail).fabricPort(), up);
        return "link of " + machine + "," + rail + " up: " + up;
    }

    private String addRule(int machine, int rail, int other) {
        FabricFaultRule.Action action = ACTIONS.get(random.nextInt(ACTIONS.size()));
        Set<TrafficKind> kinds =
                EnumSet.of(KINDS.get(random.nextInt(KINDS.size())), KINDS.get(random.nextInt(KINDS.size())));
        FabricFaultRule rule = new FabricFaultRule(
                kinds,
                random.nextBoolean() ? world.port(machine, rail) : null,
                random.nextBoolean() ? world.port(other, random.nextInt(IbWorld.RAILS)) : null,
                random.nextInt(3) == 0 ? 1 : random.nextDouble(),
                action,
                action == FabricFaultRule.Action.DELAY
                        ? random.nextLong(random.nextInt(5) == 0 ? IbWorld.SECOND : 1_000_000)
                        : 0);
        rules.add(rule);
        world.fabric().addFault(rule);
        return rule.toString();
    }

    private String removeRule() {
        if (rules.isEmpty()) {
            return "no rule";
        }
        FabricFaultRule gone = rules.remove(random.nextInt(rules.size()));
        world.fabric().removeFault(gone);
        return "no more " + gone;
    }

    private String freeze(int machine) {
        if (frozen[machine]) {
            return machine + " stands still already";
        }
        long wait = random.nextLong(ChaosRun.LONGEST_FREEZE);
        frozen[machine] = true;
        world.node(machine).freeze();
        world.time().at(world.time().now() + wait, () -> {
            frozen[machine] = false;
            world.node(machine).thaw();
        });
        return machine + " stands still for " + wait + " ns";
    }

    /** All is whole again, but for machines that stand still: they go on by themselves. */
    void heal() {
        rules.forEach(world.fabric()::removeFault);
        for (int machine = 0; machine < IbWorld.MACHINES; machine++) {
            for (int rail = 0; rail < IbWorld.RAILS; rail++) {
                link(machine, rail, true);
                SoftDevice card = world.device(machine, rail);
                card.repair();
                card.haltSends(false);
                card.delayCompletions(0);
                card.failNextQps(0);
                card.failNextCqs(0);
                card.failNextRegistrations(0);
            }
        }
    }
}
