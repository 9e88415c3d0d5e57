/** The messages of selftest as bytes (spec 03 §1.3 and §2): one class for each structure, and what data looks like (§5). Knows nothing of who sends them. */
@NullMarked
package org.railyard.selftest.wire;

import org.jspecify.annotations.NullMarked;
