package org.railyard.base.yaml;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Reads the one YAML document of a file, within limits. */
public final class Document {
    /** Longest file, characters. */
    static final int MAX_CHARACTERS = 16 << 20;

    /** Deepest nesting. */
    static final int MAX_DEPTH = 64;

    private static final LoadSettings SETTINGS = LoadSettings.builder()
            .setAllowDuplicateKeys(true)
            .setCodePointLimit(MAX_CHARACTERS)
            .build();

    private static final String GOOD = "one well-formed document";

    private Document() {}

    /** Returns the top of the document; null if there is none, noted if that is because it can not be read. */
    public static @Nullable Item read(String text, Findings findings) {
        if (text.length() > MAX_CHARACTERS) {
            findings.error(
                    findings.place(Optional.empty()), text.length() + " characters", "at most " + MAX_CHARACTERS);
            return null;
        }
        try {
            if (!isShallow(text, findings)) {
                return null;
            }
            Node root = new Composer(SETTINGS, parser(text)).getSingleNode().orElse(null);
            return root == null ? null : new Item(root, findings);
        } catch (MarkedYamlEngineException e) {
            findings.error(findings.place(e.getProblemMark()), "broken YAML: " + oneLine(e.getProblem()), GOOD);
        } catch (YamlEngineException e) {
            findings.error(findings.place(Optional.empty()), "broken YAML: " + oneLine(e.getMessage()), GOOD);
        }
        return null;
    }

    private static String oneLine(@Nullable String text) {
        return String.valueOf(text).replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    }

    private static ParserImpl parser(String text) {
        return new ParserImpl(SETTINGS, new StreamReader(SETTINGS, text));
    }

    /** The composer calls itself for each level: what is nested too deep must not get there. */
    private static boolean isShallow(String text, Findings findings) {
        int depth = 0;
        ParserImpl events = parser(text);
        while (events.hasNext()) {
            Event event = events.next();
            depth += switch (event.getEventId()) {
                case MappingStart, SequenceStart -> 1;
                case MappingEnd, SequenceEnd -> -1;
                default -> 0;
            };
            if (depth > MAX_DEPTH) {
                findings.error(
                        findings.place(event.getStartMark()),
                        "more than " + MAX_DEPTH + " levels of nesting",
                        "at most " + MAX_DEPTH);
                return false;
            }
        }
        return true;
    }
}
