/**
 * What commands write: columns, YAML, files that are replaced whole or not at all; and what they tell of themselves.
 * Knows nothing of what it writes about.
 */
@NullMarked
package org.railyard.cli.text;

import org.jspecify.annotations.NullMarked;
