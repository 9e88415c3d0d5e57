package org.railyard.base.yaml;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.railyard.base.text.Anchors;
import org.railyard.base.text.DocReader;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.ReaderException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Reads the one YAML document of a file, within limits. */
public final class Document {
    /** Longest file, characters. */
    static final int MAX_CHARACTERS = 16 << 20;

    /** Deepest nesting. */
    static final int MAX_DEPTH = DocReader.MAX_DEPTH;

    /** Most aliases of mappings and lists, which are read again wherever they stand. */
    static final int MAX_ALIASES = 50;

    private static final String GOOD = "one well-formed document";

    private Document() {}

    /** Returns the top of the document; null if there is none, noted if that is because it can not be read. */
    public static @Nullable Item read(String text, Findings findings) {
        if (text.length() > MAX_CHARACTERS) {
            findings.error(
                    findings.place(Optional.empty()), text.length() + " characters", "at most " + MAX_CHARACTERS);
            return null;
        }
        LoadSettings settings = settings(text);
        try {
            if (!isBounded(parser(settings, text), findings)) {
                return null;
            }
            Node root = new Composer(settings, parser(settings, text))
                    .getSingleNode()
                    .orElse(null);
            return root == null ? null : new Item(root, findings);
        } catch (MarkedYamlEngineException e) {
            findings.error(findings.place(e.getProblemMark()), "broken YAML: " + oneLine(e.getProblem()), GOOD);
        } catch (ReaderException e) {
            Place place = findings.placeIn(text, e.getPosition());
            findings.error(
                    place, String.format("the character U+%04X", e.getCodePoint()), "text without control characters");
        } catch (YamlEngineException e) {
            findings.error(findings.place(Optional.empty()), "broken YAML: " + oneLine(e.getMessage()), GOOD);
        }
        return null;
    }

    private static String oneLine(@Nullable String text) {
        return String.valueOf(text).replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
    }

    /** The scanner copies what it has of a long word whenever it reads on: so it reads the whole text at once. */
    private static LoadSettings settings(String text) {
        return LoadSettings.builder()
                .setAllowDuplicateKeys(true)
                .setCodePointLimit(MAX_CHARACTERS)
                .setMaxAliasesForCollections(MAX_ALIASES)
                .setBufferSize(text.length() + 2)
                .build();
    }

    private static ParserImpl parser(LoadSettings settings, String text) {
        return new ParserImpl(settings, new StreamReader(settings, text));
    }

    /**
     * The composer calls itself for each level, and tells no place of aliases: too many must not get there, and none
     * that stands for something without an end.
     */
    private static boolean isBounded(ParserImpl events, Findings findings) {
        Anchors anchors = new Anchors();
        int aliases = 0;
        while (events.hasNext()) {
            Event event = events.next();
            anchors.take(event);
            if (anchors.depth() > MAX_DEPTH) {
                return refuse(event, findings, "more than " + MAX_DEPTH + " levels of nesting", "at most " + MAX_DEPTH);
            }
            if (anchors.isOfCollection(event) && ++aliases > MAX_ALIASES) {
                return refuse(
                        event,
                        findings,
                        "more than " + MAX_ALIASES + " aliases of mappings and lists",
                        "at most " + MAX_ALIASES + "; write out what they stand for");
            }
            if (anchors.isWithinItself(event)) {
                return refuse(event, findings, "an alias within what it stands for", "one of something before it");
            }
        }
        return true;
    }

    private static boolean refuse(Event event, Findings findings, String what, String expected) {
        findings.error(findings.place(event.getStartMark()), what, expected);
        return false;
    }
}
