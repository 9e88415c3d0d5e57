package org.railyard.lab.scenario;

/**
 * Nodes of a scenario.
 *
 * @param group the group they are of
 * @param number 0 for as many as {@code count} says, otherwise the node with this number in its group, from 1
 * @param count how many of the group, chosen by the seed; 0 for all
 */
public record Selector(String group, int number, int count) {
    @Override
    public String toString() {
        return number > 0 ? group + "-" + number : count > 0 ? count + " of " + group : group;
    }
}
