/**
 * The commands as a person or a script runs them, against nodes on loopback; their output is compared with that of
 * lnetctl on kernel nodes.
 */
@NullMarked
package org.railyard.itest.cli;

import org.jspecify.annotations.NullMarked;
