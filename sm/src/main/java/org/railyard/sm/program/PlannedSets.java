package org.railyard.sm.program;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.railyard.fabric.format.FormatException;
import org.railyard.mad.smp.PortInfo;
import org.railyard.mad.text.MadText;
import org.railyard.mad.wire.Mad;
import org.railyard.sm.subnet.ManagedNode;

/**
 * The Sets of a plan, as they are kept in a file: a line each with the GUID of the node, attribute and modifier in
 * hexadecimal, a hash of the data, and for people name and attribute. Paths and transactions are no part of it. Not
 * thread-safe.
 */
public final class PlannedSets {
    /** Most Sets of a plan; a torus of 16×16×16 takes a million. */
    public static final int MAX_SETS = 4_000_000;

    private static final String HEAD = "# railyard sm plan, version 1: node, attribute, modifier, data";
    private static final int HASH_BYTES = 12;
    private static final Pattern LINE =
            Pattern.compile("[0-9a-f]{16} [0-9a-f]{4} [0-9a-f]{8} [0-9a-f]{" + 2 * HASH_BYTES + "}( .*)?");

    /** Characters of a line before the name. */
    private static final int KEY = 16 + 1 + 4 + 1 + 8 + 1 + 2 * HASH_BYTES;

    private final Set<String> keys = new LinkedHashSet<>();
    private final List<String> lines = new ArrayList<>();

    /** Makes an empty plan. */
    public PlannedSets() {}

    /** Adds a Set. */
    public void add(Update update) {
        add(key(update.node(), update.mad()) + " " + text(update));
    }

    private void add(String line) {
        keys.add(keyOf(line));
        lines.add(line);
    }

    /** Returns how many Sets there are. */
    public int size() {
        return lines.size();
    }

    /** Returns the file. */
    public String text() {
        StringBuilder out = new StringBuilder(HEAD).append('\n');
        lines.forEach(line -> out.append(line).append('\n'));
        return out.toString();
    }

    /**
     * Reads a file.
     *
     * @throws FormatException if it is no such file; the line is named
     */
    public static PlannedSets parse(String text) {
        List<String> all = text.lines().toList();
        if (all.isEmpty() || !all.getFirst().equals(HEAD)) {
            throw new FormatException(
                    1, 1, all.isEmpty() ? "" : all.getFirst(), "\"" + HEAD + "\", as sm plan --save writes it");
        }
        if (all.size() > MAX_SETS) {
            throw new FormatException(MAX_SETS + 1, 1, all.get(MAX_SETS), "at most " + MAX_SETS + " Sets");
        }
        PlannedSets plan = new PlannedSets();
        for (int i = 1; i < all.size(); i++) {
            String line = all.get(i);
            if (!LINE.matcher(line).matches()) {
                throw new FormatException(i + 1, 1, line, "GUID, attribute, modifier and hash of a Set");
            }
            plan.add(line);
        }
        return plan;
    }

    /** Returns whether a Set to a node is part of the plan. */
    boolean has(ManagedNode node, Mad set) {
        return keys.contains(key(node, set));
    }

    /** Returns what the other plan has and this one has not, and the other way round, one line each. */
    public List<String> differences(PlannedSets other) {
        List<String> found = new ArrayList<>();
        other.lines.stream()
                .filter(line -> !keys.contains(keyOf(line)))
                .forEach(line -> found.add("not planned: " + nameOf(line)));
        lines.stream()
                .filter(line -> !other.keys.contains(keyOf(line)))
                .forEach(line -> found.add("planned, and not needed: " + nameOf(line)));
        return found;
    }

    private static String keyOf(String line) {
        return line.substring(0, KEY);
    }

    private static String nameOf(String line) {
        return line.length() > KEY ? line.substring(KEY + 1) : "node " + line.substring(0, line.indexOf(' '));
    }

    /** What a Set is called for people. */
    static String text(Update update) {
        return update.node().name() + ": " + MadText.summary(update.mad());
    }

    private static String key(ManagedNode node, Mad set) {
        Mad mad = set;
        if (mad.isAbout(PortInfo.TYPE)) {
            mad = mad.copy();
            PortInfo info = mad.data(PortInfo.TYPE);
            // Both come back as they were read, and nobody can set them: a port with a subnet manager tells of it in
            // the one, and the other is the port by which the node was asked, whichever path was the first.
            mad.setData(
                    PortInfo.TYPE,
                    PortInfo.TYPE.copy(info).set(PortInfo.CAPABILITY_MASK, 0).set(PortInfo.LOCAL_PORT, 0));
        }
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            sha.update(mad.bytes(), Mad.SMP_DATA, Mad.SMP_DATA_SIZE);
            return "%016x %04x %08x %s"
                    .formatted(
                            node.guid(),
                            mad.attributeId(),
                            mad.modifier(),
                            HexFormat.of().formatHex(sha.digest(), 0, HASH_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
