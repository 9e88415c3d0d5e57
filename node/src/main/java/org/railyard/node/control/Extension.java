package org.railyard.node.control;

import java.util.Map;

/** Requests below a path of their own, beside the operations of LNet. Thread-safe. */
@FunctionalInterface
public interface Extension {
    /**
     * Does what is asked. May wait: each request has a thread of its own.
     *
     * @param name what is behind the path
     * @param fields of the request
     * @throws org.railyard.base.ErrnoException if it is refused
     */
    Map<String, Object> execute(String name, Map<String, Object> fields);
}
