package org.railyard.base.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.composer.Composer;
import org.snakeyaml.engine.v2.constructor.StandardConstructor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.parser.ParserImpl;
import org.snakeyaml.engine.v2.scanner.StreamReader;

/** Reads documents, YAML or JSON, into maps, lists, texts, {@link Long}s and {@link Boolean}s. */
public final class DocReader {
    /** Longest document, characters. */
    public static final int MAX_CHARACTERS = 64 << 20;

    /** Deepest nesting. */
    public static final int MAX_DEPTH = 64;

    /** Most values, however deep, those included that aliases stand for. */
    static final int MAX_VALUES = 4 << 20;

    private DocReader() {}

    /** Refuses aliases of mappings and lists within what they stand for: that would be read without an end. */
    private static final class Ending extends ParserImpl {
        private final Anchors anchors = new Anchors();

        Ending(LoadSettings settings, StreamReader reader) {
            super(settings, reader);
        }

        @Override
        public Event next() {
            Event event = super.next();
            anchors.take(event);
            if (event instanceof AliasEvent alias && anchors.isWithinItself(alias)) {
                throw new YamlEngineException(place(event.getStartMark()) + "found *" + alias.getAlias()
                        + ", an alias within what it stands for, expected one of something before it");
            }
            return event;
        }

        private static String place(Optional<Mark> at) {
            return at.map(mark -> mark.getLine() + 1 + ":" + (mark.getColumn() + 1) + ": ")
                    .orElse("");
        }
    }

    /** Calls itself for each level, and so do those who take what it makes: too many must not get there. */
    private static final class Levels extends Composer {
        private int depth;

        Levels(LoadSettings settings, String text) {
            super(settings, new Ending(settings, new StreamReader(settings, text)));
        }

        @Override
        protected SequenceNode composeSequenceNode(Optional<Anchor> anchor) {
            enter();
            SequenceNode node = super.composeSequenceNode(anchor);
            depth--;
            return node;
        }

        @Override
        protected Node composeMappingNode(Optional<Anchor> anchor) {
            enter();
            Node node = super.composeMappingNode(anchor);
            depth--;
            return node;
        }

        private void enter() {
            if (++depth > MAX_DEPTH) {
                throw new YamlEngineException(
                        "found more than " + MAX_DEPTH + " levels of nesting, expected at most " + MAX_DEPTH);
            }
        }
    }

    /**
     * Reads a mapping; nothing at all is an empty one.
     *
     * @throws IllegalArgumentException if the text is none
     */
    public static Map<String, Object> mapping(String text) {
        Object document;
        try {
            // The scanner copies what it has of a long text whenever it reads on: so it reads the whole document at
            // once.
            LoadSettings settings = LoadSettings.builder()
                    .setCodePointLimit(MAX_CHARACTERS)
                    .setBufferSize(text.length() + 2)
                    .setAllowDuplicateKeys(false)
                    .build();
            document = new StandardConstructor(settings)
                    .constructSingleDocument(new Levels(settings, text).getSingleNode());
        } catch (YamlEngineException e) {
            throw new IllegalArgumentException("no document: " + e.getMessage(), e);
        }
        if (document == null) {
            return new LinkedHashMap<>();
        }
        if (!(document instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("a document that is no mapping");
        }
        return new Copy().mapOf(map);
    }

    /** What aliases stand for is copied wherever they stand: a short document can be more than fits into memory. */
    private static final class Copy {
        private int values;

        Map<String, Object> mapOf(Map<?, ?> map) {
            Map<String, Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(String.valueOf(key), plain(value)));
            return copy;
        }

        private @Nullable Object plain(@Nullable Object value) {
            if (++values > MAX_VALUES) {
                throw new IllegalArgumentException(
                        "no document: more than " + MAX_VALUES + " values, those included that aliases stand for");
            }
            // By hand, as in JsonText.
            if (value instanceof Map<?, ?> map) {
                return mapOf(map);
            }
            if (value instanceof List<?> list) {
                List<@Nullable Object> copy = new ArrayList<>();
                list.forEach(each -> copy.add(plain(each)));
                return copy;
            }
            return value instanceof Integer number ? Long.valueOf(number) : value;
        }
    }
}
