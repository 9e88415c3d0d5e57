/**
 * The messages of selftest as bytes (spec 03 §1.3 and §2): one class for each structure, and what data looks like (spec
 * 03 §5). Knows nothing of who sends them.
 */
@NullMarked
package org.railyard.selftest.wire;

import org.jspecify.annotations.NullMarked;
