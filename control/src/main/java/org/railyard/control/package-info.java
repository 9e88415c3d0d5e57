/**
 * The one interface through which a node is configured and looked at (spec 12 §10): {@link org.railyard.control.Dlc},
 * its operations as values, and its failures.
 */
@NullMarked
package org.railyard.control;

import org.jspecify.annotations.NullMarked;
