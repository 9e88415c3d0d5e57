package org.railyard.decode;

/** Takes elements as they are completed, which is not the order of their first bytes. */
@FunctionalInterface
interface ElementSink {
    void add(Element element);
}
