package org.railyard.checks;

/**
 * A test that says it shows a requirement.
 *
 * @param id the requirement
 * @param test the test: {@code Class} or {@code Class.method}, without the package
 */
record Claim(String id, String test) {}
