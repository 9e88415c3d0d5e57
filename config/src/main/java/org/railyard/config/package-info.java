/**
 * Configuration of LNet in YAML (spec 12 §4, §5): reads it, tells everything that is wrong with it by line and column,
 * builds the configuration of a node from it or applies it to a running one. Opens no file and no socket.
 */
@NullMarked
package org.railyard.config;

import org.jspecify.annotations.NullMarked;
