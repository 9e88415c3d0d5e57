package org.railyard.base.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.common.Anchor;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ScalarEvent;

/** What the anchors of a YAML document name, so far as its events tell. For one thread. */
public final class Anchors {
    /** By what anchors name last: the number of a mapping or list, 0 for a scalar. */
    private final Map<Anchor, Integer> named = new LinkedHashMap<>();

    private final Deque<Integer> open = new ArrayDeque<>();
    private int collections;

    /** Takes the next event of the document. */
    public void take(Event event) {
        if (event instanceof CollectionStartEvent start) {
            collections++;
            open.push(collections);
            start.getAnchor().ifPresent(anchor -> named.put(anchor, collections));
        } else if (event instanceof CollectionEndEvent) {
            open.pop();
        } else if (event instanceof ScalarEvent scalar) {
            scalar.getAnchor().ifPresent(anchor -> named.put(anchor, 0));
        }
    }

    /** Returns how many mappings and lists have begun and not ended. */
    public int depth() {
        return open.size();
    }

    /** Tells whether an event is an alias of a mapping or list. */
    public boolean isOfCollection(Event event) {
        return event instanceof AliasEvent alias && collection(alias) > 0;
    }

    /** Tells whether an event is an alias of a mapping or list that it is a part of: that has no end. */
    public boolean isWithinItself(Event event) {
        return event instanceof AliasEvent alias && open.contains(collection(alias));
    }

    /** Returns the number of the mapping or list that an alias stands for, 0 for a scalar or nothing known. */
    private int collection(AliasEvent alias) {
        return named.getOrDefault(alias.getAlias(), 0);
    }
}
