package org.railyard.selftest.api;

import java.util.List;

/**
 * A batch as it is now.
 *
 * @param name its name
 * @param id its number on the wire
 * @param running whether it was started and not stopped since
 * @param tests its tests
 */
public record BatchView(String name, long id, boolean running, List<TestView> tests) {}
