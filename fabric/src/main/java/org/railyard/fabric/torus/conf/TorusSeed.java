package org.railyard.fabric.torus.conf;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;
import org.railyard.fabric.torus.grid.TorusGroup;
import org.railyard.fabric.torus.grid.TorusShape;

/**
 * Where coordinates start: one switch, its named neighbours, and how far the datelines are moved (spec 30 §1.2, §2).
 *
 * @param links by group number, 0 to 5 (see {@link TorusGroup})
 * @param xDateline moves the origin of x: the seed switch has coordinate −d modulo the radix
 * @param yDateline the same for y
 * @param zDateline the same for z
 */
public record TorusSeed(SortedMap<Integer, SeedLink> links, int xDateline, int yDateline, int zDateline) {
    /** Copies the links. */
    public TorusSeed {
        links = Collections.unmodifiableSortedMap(new TreeMap<>(links));
    }

    /** Returns the dateline of {@code dimension}. */
    public int dateline(int dimension) {
        return switch (dimension) {
            case 0 -> xDateline;
            case 1 -> yDateline;
            default -> zDateline;
        };
    }

    /** Returns the position of the seed switch. */
    public int position(TorusShape shape) {
        return shape.position(-xDateline, -yDateline, -zDateline);
    }
}
