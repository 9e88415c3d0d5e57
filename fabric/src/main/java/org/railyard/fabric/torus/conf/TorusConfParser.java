package org.railyard.fabric.torus.conf;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.railyard.fabric.format.FormatException;
import org.railyard.fabric.model.Fabric;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * Reads {@code torus-2QoS.conf} (spec 30 §1.2). It goes on after an error, to report all of them; one error refuses the
 * file. Stricter than OpenSM where that one takes nonsense without a word: signs, trailing letters and ports out of
 * range are errors.
 */
public final class TorusConfParser {
    /** Longest file, in characters. */
    public static final int MAX_CHARACTERS = 1 << 20;

    /** Most seeds of a file. */
    public static final int MAX_SEEDS = 256;

    /** Most problems that are reported. */
    public static final int MAX_PROBLEMS = 100;

    private static final int MAX_PORT_GROUP = Fabric.MAX_PORTS + 1;

    private static final String KEYWORDS =
            ": torus, mesh, xp_link, xm_link, yp_link, ym_link, zp_link, zm_link, x_dateline, y_dateline, z_dateline,"
                    + " next_seed, portgroup_max_ports, port_order, max_changes";

    private final List<FormatException> problems = new ArrayList<>();
    private final List<SeedDraft> seeds = new ArrayList<>();
    private final SequencedSet<Integer> portOrder = new LinkedHashSet<>();
    private @Nullable TorusShape shape;
    private int portgroupMaxPorts = TorusConf.DEFAULT_PORTGROUP_MAX_PORTS;
    private boolean keywordsTold;
    private int maxChanges = TorusConf.DEFAULT_MAX_CHANGES;

    private TorusConfParser() {}

    /** A seed while its lines are read. */
    private static final class SeedDraft {
        final TreeMap<Integer, SeedLink> links = new TreeMap<>();
        final int[] dateline = new int[TorusShape.DIMENSIONS];
    }

    /**
     * Returns what the text says.
     *
     * @throws TorusConfException if it is not accepted, with all problems
     */
    public static TorusConf parse(String text) {
        TorusConfParser parser = new TorusConfParser();
        if (text.length() > MAX_CHARACTERS) {
            throw new TorusConfException(List.of(new FormatException(
                    1, 1, text.length() + " characters", "a file of at most " + MAX_CHARACTERS + " characters")));
        }
        int number = 0;
        for (String line : text.split("\n", -1)) {
            number++;
            ConfLine words = new ConfLine(number, line);
            if (!words.isEmpty() && parser.problems.size() < MAX_PROBLEMS) {
                try {
                    parser.statement(words);
                } catch (FormatException problem) {
                    parser.problems.add(problem);
                }
            }
        }
        return parser.finish(number);
    }

    private TorusConf finish(int lines) {
        if (shape == null && problems.isEmpty()) {
            problems.add(new FormatException(
                    lines, 1, "", "a torus or mesh statement somewhere in the file (OpenSM: 4E20)"));
        }
        if (shape == null || !problems.isEmpty()) {
            throw new TorusConfException(problems);
        }
        List<TorusSeed> done = seeds.stream()
                .map(seed -> new TorusSeed(seed.links, seed.dateline[0], seed.dateline[1], seed.dateline[2]))
                .toList();
        return new TorusConf(shape, done, portgroupMaxPorts, List.copyOf(portOrder), maxChanges);
    }

    private void statement(ConfLine line) {
        String keyword = line.word(0);
        switch (keyword) {
            case "torus" -> topology(line, false);
            case "mesh" -> topology(line, true);
            case "xm_link" -> link(line, TorusGroup.minus(0));
            case "xp_link" -> link(line, TorusGroup.plus(0));
            case "ym_link" -> link(line, TorusGroup.minus(1));
            case "yp_link" -> link(line, TorusGroup.plus(1));
            case "zm_link" -> link(line, TorusGroup.minus(2));
            case "zp_link" -> link(line, TorusGroup.plus(2));
            case "x_dateline" -> dateline(line, 0);
            case "y_dateline" -> dateline(line, 1);
            case "z_dateline" -> dateline(line, 2);
            case "next_seed" -> openSeed(line);
            case "portgroup_max_ports" ->
                portgroupMaxPorts = line.number(1, 1, MAX_PORT_GROUP, "a number of ports, 1 to " + MAX_PORT_GROUP);
            case "port_order" -> portOrder(line);
            case "max_changes" ->
                maxChanges = line.number(1, 0, Integer.MAX_VALUE, "a number of changes, 0 to " + Integer.MAX_VALUE);
            default -> {
                String names = keywordsTold ? "" : KEYWORDS;
                keywordsTold = true;
                throw line.error(0, "a keyword" + names + " (OpenSM: 4E12)");
            }
        }
    }

    private void topology(ConfLine line, boolean mesh) {
        if (shape != null) {
            throw line.error(0, "only one torus or mesh statement");
        }
        int[] radix = new int[TorusShape.DIMENSIONS];
        boolean[] open = new boolean[TorusShape.DIMENSIONS];
        for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
            String word = line.word(d + 1);
            int digits = word.length();
            char suffix = digits == 0 ? ' ' : Character.toLowerCase(word.charAt(digits - 1));
            boolean suffixed = suffix == 't' || suffix == 'm';
            open[d] = suffixed ? suffix == 'm' : mesh;
            long value = CNumber.parse(word, 0, suffixed ? digits - 1 : digits);
            if (value < 1 || value > TorusShape.MAX_POSITIONS) {
                throw line.error(
                        d + 1,
                        "the radix of " + "xyz".charAt(d) + ": 1 to " + TorusShape.MAX_POSITIONS
                                + ", perhaps with t or m behind it (OpenSM: 4E20)");
            }
            radix[d] = (int) value;
        }
        if ((long) radix[0] * radix[1] * radix[2] > TorusShape.MAX_POSITIONS) {
            throw line.error(1, "at most " + TorusShape.MAX_POSITIONS + " positions, the number of unicast LIDs");
        }
        shape = TorusShape.of(radix, open);
    }

    private void link(ConfLine line, int group) {
        SeedLink link = new SeedLink(line.guid(1), line.guid(2));
        if (seed(line).links.putIfAbsent(group, link) != null) {
            throw line.error(0, "each link once in a seed; next_seed opens another one");
        }
    }

    private void dateline(ConfLine line, int dimension) {
        if (shape == null) {
            throw line.error(0, "the torus or mesh statement before any dateline (OpenSM: 4E10)");
        }
        int most = shape.radix(dimension) - 1;
        seed(line).dateline[dimension] = line.number(
                1, -most, most, "a dateline of " + -most + " to " + most + ", less than the radix (OpenSM: 4E10)");
    }

    /** Returns the seed that lines now belong to. */
    private SeedDraft seed(ConfLine line) {
        if (seeds.isEmpty()) {
            openSeed(line);
        }
        return seeds.getLast();
    }

    private void openSeed(ConfLine line) {
        if (seeds.size() == MAX_SEEDS) {
            throw line.error(0, "at most " + MAX_SEEDS + " seeds");
        }
        seeds.add(new SeedDraft());
    }

    private void portOrder(ConfLine line) {
        if (line.words() < 2) {
            throw line.error(1, "port numbers");
        }
        for (int i = 1; i < line.words(); i++) {
            // A port named twice counts where it comes first.
            portOrder.add(line.number(i, 0, Fabric.MAX_PORTS, "a port number, 0 to " + Fabric.MAX_PORTS));
        }
    }
}
