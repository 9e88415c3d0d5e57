/**
 * The requirement matrix; the tree's rules are in this module's tests. Depends on all modules, nothing depends on it.
 */
@NullMarked
package org.railyard.checks;

import org.jspecify.annotations.NullMarked;
