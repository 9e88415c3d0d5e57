package org.railyard.o2iblnd.bond;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.railyard.lnet.nid.Nid;
import org.railyard.lnet.nid.NidFormatException;

/**
 * The target file (spec 21 cb-020…026): a NID and its addresses on each line, with blanks or commas between, and
 * comments behind {@code #}. A line that can not be read is told and skipped; the others count.
 */
public final class TargetFile {
    /** Where it is unless the configuration says otherwise. */
    public static final String DEFAULT_PATH = "/etc/sysconfig/lnet_o2ibs.conf";

    /** Longest file, bytes. */
    public static final int MAX_BYTES = 16 << 20;

    /** Most findings that are kept; what is wrong with later lines is only counted. */
    public static final int MAX_FINDINGS = 1000;

    private static final String SYNTAX = "cb-120";
    private static final String TWICE = "cb-024";
    private static final String NOTICE = "cb-021";
    private static final char BYTE_ORDER_MARK = '\uFEFF';

    private final String name;
    private final Map<Nid, Target> targets = new LinkedHashMap<>();
    private final List<BondFinding> findings = new ArrayList<>();
    private int unlisted;

    private TargetFile(String name) {
        this.name = name;
    }

    /**
     * What a file says.
     *
     * @param targets one for each NID, in the order of their first lines
     * @param findings what is wrong with it or strange, in the order of lines
     */
    public record Content(List<Target> targets, List<BondFinding> findings) {
        /** No file: no targets, nothing wrong. */
        public static final Content NONE = new Content(List.of(), List.of());

        /** Copies the lists. */
        public Content {
            targets = List.copyOf(targets);
            findings = List.copyOf(findings);
        }
    }

    /**
     * Reads a file. Never fails: what is wrong is in the findings.
     *
     * @param name of the file, for the findings
     * @param text of the file
     */
    public static Content parse(String name, String text) {
        if (text.length() > MAX_BYTES) {
            return new Content(
                    List.of(),
                    List.of(BondFinding.error(
                            SYNTAX, name, "is longer than " + MAX_BYTES + " characters; nothing of it counts")));
        }
        TargetFile file = new TargetFile(name);
        String body = !text.isEmpty() && text.charAt(0) == BYTE_ORDER_MARK ? text.substring(1) : text;
        String[] lines = body.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            file.line(i + 1, lines[i]);
        }
        if (file.unlisted > 0) {
            file.findings.add(BondFinding.error(
                    SYNTAX, name, "has " + file.unlisted + " more findings than the " + MAX_FINDINGS + " listed"));
        }
        return new Content(new ArrayList<>(file.targets.values()), file.findings);
    }

    private void found(BondFinding finding) {
        if (findings.size() < MAX_FINDINGS) {
            findings.add(finding);
        } else {
            unlisted++;
        }
    }

    private String at(int number) {
        return name + ", line " + number;
    }

    private void line(int number, String line) {
        int comment = line.indexOf('#');
        String entry = (comment < 0 ? line : line.substring(0, comment)).strip();
        if (entry.isEmpty()) {
            return;
        }
        if (entry.endsWith(",")) {
            found(BondFinding.info(NOTICE, at(number), "a comma behind the last address; it is ignored"));
        }
        List<String> words = Arrays.stream(entry.split("[\\s,]+"))
                .filter(word -> !word.isEmpty())
                .toList();
        if (entry.startsWith(",") || words.isEmpty()) {
            found(BondFinding.error(SYNTAX, at(number), "begins with a comma, expected NID IP …; the line is skipped"));
            return;
        }
        try {
            entry(number, words);
        } catch (IllegalArgumentException e) {
            found(BondFinding.error(SYNTAX, at(number), e.getMessage() + "; the line is skipped"));
        }
    }

    private void entry(int number, List<String> words) {
        Nid nid = nid(words.getFirst());
        Set<Integer> ips = new LinkedHashSet<>();
        for (String word : words.subList(1, words.size())) {
            if (!ips.add(Ipv4.parse(word))) {
                found(BondFinding.warning(TWICE, at(number), "lists " + word + " twice; it counts once"));
            }
        }
        Target target = new Target(nid, List.copyOf(ips));
        if (targets.put(nid, target) != null) {
            found(BondFinding.warning(TWICE, at(number), "has " + nid + " again; this line replaces the one before"));
        }
    }

    private static Nid nid(String word) {
        try {
            if (word.indexOf('@') > 0) {
                return Nid.parse(word);
            }
        } catch (NidFormatException e) {
            // Told below, in the words of this file.
        }
        throw new IllegalArgumentException("'" + word + "' is no NID, expected one such as 10.1.1.2@o2ib");
    }
}
