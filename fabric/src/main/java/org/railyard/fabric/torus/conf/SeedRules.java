package org.railyard.fabric.torus.conf;

import java.util.ArrayList;
import java.util.List;
import org.railyard.fabric.route.Refusal;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/** What a seed must name, whether it is used or not (spec 30 §2.1); errors carry OpenSM's codes where it has one. */
public final class SeedRules {
    private static final int FOUR = 4;
    private static final String[] POSITIVE_NEEDED = {"4E22", "4E25", "4E28"};
    private static final String[] NEGATIVE_NEEDED = {"4E23", "4E26", "4E29"};
    private static final String[] LINK_NEEDED = {"4E2B", "4E2E", "4E2C"};
    private static final String[] OTHER_SWITCH = {"4E24", "4E2F", "4E2D"};

    private SeedRules() {}

    /** Returns what is wrong with the seeds of a configuration, in their order. */
    public static List<Refusal.Reason> problems(TorusShape shape, List<TorusSeed> seeds) {
        List<Refusal.Reason> problems = new ArrayList<>();
        if (seeds.isEmpty()) {
            problems.add(new Refusal.Reason("4E30", "the configuration names no seed: add xp_link, yp_link … lines"));
        }
        for (int i = 0; i < seeds.size(); i++) {
            check(shape, seeds.get(i), "seed " + i + ": ", problems);
        }
        return problems;
    }

    private static void check(TorusShape shape, TorusSeed seed, String which, List<Refusal.Reason> problems) {
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            char axis = "xyz".charAt(d);
            boolean plus = seed.links().containsKey(TorusGroup.plus(d));
            boolean minus = seed.links().containsKey(TorusGroup.minus(d));
            if (shape.radix(d) == FOUR && !shape.open(d)) {
                // A closed ring of four looks like a face: discovery needs both neighbours to tell them apart.
                if (!plus) {
                    problems.add(needed(POSITIVE_NEEDED[d], which, axis + "p_link", axis + " has radix 4"));
                }
                if (!minus) {
                    problems.add(needed(NEGATIVE_NEEDED[d], which, axis + "m_link", axis + " has radix 4"));
                }
            } else if (shape.active(d) && !plus && !minus) {
                problems.add(needed(
                        LINK_NEEDED[d],
                        which,
                        axis + "p_link or " + axis + "m_link",
                        axis + " has more than one coordinate"));
            }
        }
        sameStart(seed, which, problems);
        insideEdges(shape, seed, which, problems);
    }

    private static Refusal.Reason needed(String code, String which, String keyword, String because) {
        return new Refusal.Reason(code, which + keyword + " is missing, needed because " + because);
    }

    private static void sameStart(TorusSeed seed, String which, List<Refusal.Reason> problems) {
        if (seed.links().isEmpty()) {
            return;
        }
        int reference = seed.links().containsKey(TorusGroup.plus(0))
                ? TorusGroup.plus(0)
                : seed.links().firstKey();
        SeedLink first = seed.links().getOrDefault(reference, new SeedLink(0, 0));
        seed.links().forEach((group, link) -> {
            if (link.from() != first.from()) {
                problems.add(new Refusal.Reason(
                        OTHER_SWITCH[TorusGroup.dimension(group)],
                        which + "all links of a seed start at one switch, but " + keyword(group) + " starts at "
                                + hex(link.from()) + " and " + keyword(reference) + " at " + hex(first.from())));
            }
        });
    }

    private static void insideEdges(TorusShape shape, TorusSeed seed, String which, List<Refusal.Reason> problems) {
        int at = seed.position(shape);
        for (int group : seed.links().keySet()) {
            int d = TorusGroup.dimension(group);
            // With radix 2 both directions lead to the one other switch.
            if (shape.open(d) && shape.radix(d) > 2 && shape.step(at, group) < 0) {
                problems.add(new Refusal.Reason(
                        "seed-edge",
                        which + keyword(group) + " leads over the edge of the open dimension, the seed switch being at "
                                + shape.name(at) + "; set " + "xyz".charAt(d) + "_dateline"));
            }
        }
    }

    /** Returns the keyword of a seed link: {@code xp_link}. */
    public static String keyword(int group) {
        return "xyz".charAt(TorusGroup.dimension(group)) + (TorusGroup.sign(group) < 0 ? "m" : "p") + "_link";
    }

    /** Returns a GUID as configuration files spell it. */
    public static String hex(long guid) {
        return "0x" + Long.toHexString(guid);
    }
}
