// The save menu alone, under a figure that is no component of ours.

export default define(() => ({ update() {} }));
