package org.railyard.console.fabric;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.railyard.fabric.model.Fabric;

/**
 * Switches and links that are taken to have failed.
 *
 * @param names of them, for people
 * @param ports port indices whose cables go down; never changed
 */
record FailedParts(List<String> names, BitSet ports) {
    /** Most of them at a time. */
    static final int MAX = 64;

    /**
     * Reads a list such as {@code s12,l7}: the switch with the id 12, and all cables of the link with the number 7.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static FailedParts of(TorusMap map, String text) {
        List<String> names = new ArrayList<>();
        BitSet ports = new BitSet();
        String[] words = text.isEmpty() ? new String[0] : text.split(",", MAX + 1);
        if (words.length > MAX) {
            throw new IllegalArgumentException("more than " + MAX + " failures");
        }
        Fabric fabric = map.fabric();
        for (String word : words) {
            if (!word.matches("[sl][0-9]{1,7}")) {
                throw new IllegalArgumentException("failure '" + word + "'; expected such as s12 or l7");
            }
            int number = Integer.parseInt(word.substring(1));
            if (word.charAt(0) == 's' && number < fabric.switchCount()) {
                names.add(fabric.description(number));
                ports.set(fabric.portIndex(number, 0), fabric.portIndex(number, fabric.ports(number)) + 1);
            } else if (word.charAt(0) == 'l' && number < map.links().size()) {
                TorusMap.Link link = map.links().get(number);
                names.add(fabric.description(link.from()) + " - " + fabric.description(link.to()));
                link.ports().forEach(ports::set);
            } else {
                throw new IllegalArgumentException("failure '" + word + "': there is no such switch or link");
            }
        }
        return new FailedParts(names, ports);
    }
}
