package org.railyard.checks;

/**
 * A test that says it shows a requirement.
 *
 * @param id the requirement
 * @param test the test: {@code Class} or {@code Class.method}, without the package
 * @param conditional whether the build may pass without having run it, so that it shows nothing by itself
 */
record Claim(String id, String test, boolean conditional) {}
