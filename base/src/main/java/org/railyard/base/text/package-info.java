/**
 * Documents as maps, lists and scalars, and how they are written: YAML in the three layouts of the configuration tool,
 * and JSON (spec 12 §1.4). Knows nothing of nodes.
 */
@NullMarked
package org.railyard.base.text;

import org.jspecify.annotations.NullMarked;
