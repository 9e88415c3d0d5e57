/**
 * The checkers: each holds one thing that must be true whatever happens, and knows nothing of workloads. Uses {@code
 * org.railyard.lab.observe}.
 */
@NullMarked
package org.railyard.lab.check;

import org.jspecify.annotations.NullMarked;
