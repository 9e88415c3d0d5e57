/** What a console shows of its session, nodes, groups, batches and tests. */
@NullMarked
package org.railyard.selftest.api;

import org.jspecify.annotations.NullMarked;
